# A node of an earlier version serves beside this one while clients write.

packages_upgrade() { :; }

run_upgrade() {
  # The commits of the versions; those of later ones are found by their tags.
  step 'an upgrade of the baseline under load' npm run test:upgrade -- 7118cb7f
  step 'an upgrade of 0.2.0 under load' npm run test:upgrade -- 83365558
}
