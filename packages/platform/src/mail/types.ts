/** Types of mails, mail servers and failures. */

/** A mail server that takes messages for delivery. */
export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte, TLS by STARTTLS before anything else, or none. */
  readonly tls: 'implicit' | 'starttls' | 'off';
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
  /** File (PEM) of the trusted authorities, in place of the authorities of Node.js. */
  readonly caFile: string | undefined;
}

/** A name, which may be empty, and an address. */
export interface MailAddress {
  readonly name: string;
  readonly address: string;
}

/** A list of mails, which its recipients can leave. */
interface MailList {
  /** Like the name of a host. */
  readonly id: string;
  readonly name: string;
  /** Address to which a POST ends mail of the list (RFC 8058). */
  readonly unsubscribe: string;
}

export interface MailMessage {
  readonly from: MailAddress;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** With angle brackets. The same at every attempt, so that a message that arrives twice can be recognised. */
  readonly messageId: string;
  /** Epoch milliseconds. */
  readonly date: number;
  /** `Message-ID` of the thread that the mail belongs to, with angle brackets. */
  readonly thread?: string | undefined;
  /** Address that takes answers; omitted: the sender. */
  readonly replyTo?: string | undefined;
  /** The list that the mail belongs to. */
  readonly list?: MailList | undefined;
}

/**
 * Cause of a failure. The first four concern every mail: the server cannot be reached, the
 * connection cannot be encrypted, the credentials or the sender's address are refused. The others
 * concern one mail: its recipient or its content is refused, or the server asks to try again later.
 */
export type MailFault = 'connection' | 'tls' | 'credentials' | 'sender' | 'recipient' | 'content' | 'later';

/** Why a message was not taken. The message of the error holds no part of the mail and no password. */
export class MailError extends Error {
  override name = 'MailError';
  readonly fault: MailFault;

  constructor(message: string, fault: MailFault) {
    super(message);
    this.fault = fault;
  }

  /** The server refused this mail for good (a reply of 5xx). */
  get permanent(): boolean {
    return this.fault === 'recipient' || this.fault === 'content';
  }

  /** No other mail would be taken either. */
  get concernsAll(): boolean {
    return !this.permanent && this.fault !== 'later';
  }
}

/** Sends mail. */
export interface MailTransport {
  /**
   * Hands one message to the server. Returns when the server has taken it.
   * @throws MailError
   */
  send(message: MailMessage): Promise<void>;
  /** Connects, encrypts and signs in, and sends nothing. @throws MailError */
  verify(): Promise<void>;
  /** Ends the mails being sent. */
  close(): void;
}
