package io.elastune.core.random;

import java.security.SecureRandom;
import java.util.HexFormat;

/** Random texts that cannot be guessed. They influence no decision and no result. */
public final class RandomToken {
  private RandomToken() {}

  /** Returns the hexadecimal digits of this many random bytes. */
  public static String next(int bytes) {
    byte[] random = new byte[bytes];
    new SecureRandom().nextBytes(random);
    return HexFormat.of().formatHex(random);
  }
}
