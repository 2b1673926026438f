package io.elastune.provisioner.aws.cloud;

import io.elastune.core.offer.Offer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;

/**
 * Computes idempotency tokens, which depend only on lease, offer, zone and the number of failed
 * launches.
 */
final class ClientTokens {
  private static final int BYTES = 24;

  private ClientTokens() {}

  static String of(String lease, Offer offer, Optional<String> zone, int failures) {
    String what = String.join("|", lease, offer.name(), zone.orElse(""));
    String repeated = failures == 0 ? what : what + "|" + failures;
    return "elastune-" + HexFormat.of().formatHex(hash(repeated), 0, BYTES);
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
