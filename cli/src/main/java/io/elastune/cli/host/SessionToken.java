package io.elastune.cli.host;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random names of sessions. */
final class SessionToken {
  private static final int BYTES = 8;

  private SessionToken() {}

  /** Returns a name that no other session has. */
  static String next() {
    byte[] random = new byte[BYTES];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
