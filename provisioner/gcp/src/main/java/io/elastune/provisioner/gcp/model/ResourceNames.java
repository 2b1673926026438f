package io.elastune.provisioner.gcp.model;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Converts texts to valid names and labels of Google Cloud. A label has at most 63 lowercase
 * letters, digits, {@code -} and {@code _}. An instance's name has no {@code _} and starts with a
 * letter. A valid text is not changed. In any other text, invalid characters become {@code -} and a
 * hash of the text is appended, so that different texts get different names.
 */
public final class ResourceNames {
  /** The prefix of every Elastune instance's name, to which IAM conditions can refer. */
  private static final String PREFIX = "elastune-";

  private static final int LONGEST = 63;
  private static final int HASH = 8;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_-]{0,63}");
  private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern INSTANCE = Pattern.compile("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");

  private ResourceNames() {}

  /**
   * Returns the name of a lease's instance. It depends only on the lease, so a zone has at most
   * one.
   */
  public static String instanceName(String lease) {
    String plain = PREFIX + lease;
    return INSTANCE.matcher(plain).matches()
        ? plain
        : PREFIX + hashed(lease, "[^a-z0-9-]", LONGEST - PREFIX.length());
  }

  /** Returns a valid label value for a text. */
  public static String labelValue(String text) {
    return LABEL.matcher(text).matches() ? text : hashed(text, "[^a-z0-9_-]", LONGEST);
  }

  /** Returns a valid label key for a text. */
  public static String labelKey(String text) {
    return KEY.matcher(text).matches()
        ? text
        : "x-" + hashed(text, "[^a-z0-9_-]", LONGEST - "x-".length());
  }

  /** Converts tags to valid labels. */
  public static Map<String, String> labels(Map<String, String> tags) {
    Map<String, String> labels = new LinkedHashMap<>();
    tags.forEach((key, value) -> labels.put(labelKey(key), labelValue(value)));
    return labels;
  }

  /**
   * Returns a request ID in the form of a UUID, which Google requires. The same parts give the same
   * ID in every process.
   */
  public static String requestId(String... parts) {
    String hex = HexFormat.of().formatHex(hash(String.join("|", parts)), 0, 16);
    return String.join(
        "-",
        hex.substring(0, 8),
        hex.substring(8, 12),
        "5" + hex.substring(13, 16), // version 5: derived from a name
        "8" + hex.substring(17, 20), // the RFC 9562 variant
        hex.substring(20));
  }

  /** Returns the last segment of a resource URL, for example the name of a zone. */
  public static String lastSegment(String address) {
    return address.substring(address.lastIndexOf('/') + 1);
  }

  private static String hashed(String text, String unfit, int longest) {
    String fit = text.toLowerCase(Locale.ROOT).replaceAll(unfit, "-");
    int left = longest - HASH - 1;
    String front = fit.length() > left ? fit.substring(0, left) : fit;
    return front + "-" + HexFormat.of().formatHex(hash(text), 0, HASH / 2);
  }

  private static byte[] hash(String text) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
