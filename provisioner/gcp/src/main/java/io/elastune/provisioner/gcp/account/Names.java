package io.elastune.provisioner.gcp.account;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * What things of ours are called in Google's alphabet. A label has lower case letters, digits,
 * {@code -} and {@code _}, and at most 63 of them; an instance's name has no {@code _} and begins
 * with a letter. A text that fits stays as it is. Of any other what does not fit becomes {@code -},
 * and a hash of the whole text is put behind it, so that different texts have different names.
 */
public final class Names {
  /** With which every instance of ours is called, so that roles can be bound to that. */
  private static final String PREFIX = "elastune-";

  private static final int LONGEST = 63;
  private static final int HASH = 8;
  private static final Pattern LABEL = Pattern.compile("[a-z0-9_-]{0,63}");
  private static final Pattern KEY = Pattern.compile("[a-z][a-z0-9_-]{0,62}");
  private static final Pattern INSTANCE = Pattern.compile("[a-z]([a-z0-9-]{0,61}[a-z0-9])?");

  private Names() {}

  /** The name of a lease's instance: always the same, so that there is one at most in a zone. */
  public static String instance(String lease) {
    String plain = PREFIX + lease;
    return INSTANCE.matcher(plain).matches()
        ? plain
        : PREFIX + hashed(lease, "[^a-z0-9-]", LONGEST - PREFIX.length());
  }

  /** The value of a label. */
  public static String label(String text) {
    return LABEL.matcher(text).matches() ? text : hashed(text, "[^a-z0-9_-]", LONGEST);
  }

  /** The key of a label. */
  public static String key(String text) {
    return KEY.matcher(text).matches()
        ? text
        : "x-" + hashed(text, "[^a-z0-9_-]", LONGEST - "x-".length());
  }

  /** Labels with keys and values that Google takes. */
  public static Map<String, String> labels(Map<String, String> tags) {
    Map<String, String> labels = new LinkedHashMap<>();
    tags.forEach((key, value) -> labels.put(key(key), label(value)));
    return labels;
  }

  /**
   * A request's id, of the form of a UUID as Google demands: always the same for the same parts, in
   * every process.
   */
  public static String requestId(String... parts) {
    String hex = HexFormat.of().formatHex(hash(String.join("|", parts)), 0, 16);
    return String.join(
        "-",
        hex.substring(0, 8),
        hex.substring(8, 12),
        "5" + hex.substring(13, 16), // a UUID by name,
        "8" + hex.substring(17, 20), // of the usual variant
        hex.substring(20));
  }

  /** The last part of one of Google's addresses, e.g. the zone's name of a zone's address. */
  public static String last(String address) {
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
