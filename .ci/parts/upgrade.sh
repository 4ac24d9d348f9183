# A node of an earlier version serves beside this one while clients write.

packages_upgrade() { :; }

run_upgrade() {
  step 'an upgrade under load' npm run test:upgrade
}
