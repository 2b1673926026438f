package io.elastune.provisioner;

import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;

/**
 * Replaces the values of secrets in log lines by {@code ***}. Each line of a value with several
 * lines is masked separately, since logs are read line by line. Values of 4 to 7 characters are
 * masked only where they are a whole word, and shorter ones never: they would hide ordinary output.
 *
 * @param hidden the texts to replace, longest first; each character is one byte of UTF-8
 */
public record SecretMask(List<String> hidden) {
  /** A mask without secrets, which changes nothing. */
  public static final SecretMask NONE = new SecretMask(List.of());

  private static final String MASK = "***";
  private static final int MIN_LENGTH = 4;

  /** Values of so many characters are masked wherever they are. */
  public static final int MIN_LENGTH_ANYWHERE = 8;

  public SecretMask {
    hidden = List.copyOf(hidden);
  }

  /** Returns a mask of these values. */
  public static SecretMask of(Collection<String> secrets) {
    return new SecretMask(
        secrets.stream()
            .flatMap(String::lines)
            .map(String::strip)
            .filter(line -> line.length() >= MIN_LENGTH)
            .distinct()
            .map(line -> oneCharPerByte(line.getBytes(StandardCharsets.UTF_8)))
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList());
  }

  /** Returns whether a value is too short to be masked. */
  public static boolean isTooShort(String secret) {
    return of(List.of(secret)).hidden().isEmpty();
  }

  /** Returns {@code text} without the secrets. */
  public String mask(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    return new String(mask(bytes, bytes.length, false), StandardCharsets.UTF_8);
  }

  /**
   * Returns the first {@code length} bytes of a line in any encoding, without the secrets.
   *
   * @param truncated whether the end of the line is missing, so that it may end within a secret
   */
  public byte[] mask(byte[] line, int length, boolean truncated) {
    String masked = new String(line, 0, length, StandardCharsets.ISO_8859_1);
    for (String secret : hidden) {
      masked = replace(masked, secret);
      if (truncated) {
        masked = withoutBeginning(masked, secret);
      }
    }
    return masked.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String replace(String text, String secret) {
    if (secret.length() >= MIN_LENGTH_ANYWHERE) {
      return text.replace(secret, MASK);
    }
    StringBuilder masked = new StringBuilder();
    int copied = 0;
    for (int at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
      int end = at + secret.length();
      boolean word =
          (at == 0 || !isPartOfWord(text.charAt(at - 1)))
              && (end == text.length() || !isPartOfWord(text.charAt(end)));
      if (word && at >= copied) {
        masked.append(text, copied, at).append(MASK);
        copied = end;
      }
    }
    return masked.append(text, copied, text.length()).toString();
  }

  /** Masks the beginning of a secret at the end of a text. */
  private static String withoutBeginning(String text, String secret) {
    for (int length = secret.length() - 1; length >= MIN_LENGTH; length--) {
      if (text.endsWith(secret.substring(0, length))) {
        return text.substring(0, text.length() - length) + MASK;
      }
    }
    return text;
  }

  private static boolean isPartOfWord(char c) {
    return c == '_' || c >= 0x80 || Character.isLetterOrDigit(c);
  }

  private static String oneCharPerByte(byte[] bytes) {
    return new String(bytes, StandardCharsets.ISO_8859_1);
  }

  /** Omits the secrets. */
  @Override
  public String toString() {
    return "SecretMask[" + hidden.size() + "]";
  }
}
