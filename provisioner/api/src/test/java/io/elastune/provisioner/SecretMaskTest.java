package io.elastune.provisioner;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class SecretMaskTest {
  @Test
  void longValueIsMaskedAnywhere() {
    assertThat(mask("key=abcdefghXabcdefgh", "abcdefgh")).isEqualTo("key=***X***");
  }

  @Test
  void valueThatContainsAnotherIsMaskedFirst() {
    assertThat(mask("abcdefgh-1234", "abcdefgh", "abcdefgh-1234")).isEqualTo("***");
  }

  @Test
  void shortValueIsMaskedAsWord() {
    assertThat(mask("pin 1234, 1234; 12345 x1234 1234_ 0.1234", "1234"))
        .isEqualTo("pin ***, ***; 12345 x1234 1234_ 0.***");
  }

  @Test
  void veryShortAndEmptyValuesAreKept() {
    assertThat(mask("a 1 yes", "1", "yes", "", " ")).isEqualTo("a 1 yes");
    assertThat(SecretMask.isTooShort("yes")).isTrue();
    assertThat(SecretMask.isTooShort("1234")).isFalse();
  }

  @Test
  void linesOfValueAreMaskedSeparately() {
    String key = "-----BEGIN KEY-----\nMIIEvQIBADAN\r\nxy==\n";

    assertThat(mask("MIIEvQIBADAN", key)).isEqualTo("***");
    assertThat(mask("got -----BEGIN KEY-----", key)).isEqualTo("got ***");
  }

  @Test
  void otherBytesAreUnchanged() {
    byte[] line = {(byte) 0xff, 'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', (byte) 0x80, 'x'};
    SecretMask mask = SecretMask.of(List.of("abcdefgh"));

    assertThat(mask.mask(line, 10, false))
        .isEqualTo(new byte[] {(byte) 0xff, '*', '*', '*', (byte) 0x80});
  }

  @Test
  void valueInOtherScriptIsMasked() {
    assertThat(mask("Wort: geheimnisvoll-äöü!", "geheimnisvoll-äöü")).isEqualTo("Wort: ***!");
  }

  @Test
  void beginningOfSecretAtCutIsMasked() {
    byte[] line = "token abcdef".getBytes(StandardCharsets.UTF_8);
    SecretMask mask = SecretMask.of(List.of("abcdefgh"));

    assertThat(new String(mask.mask(line, line.length, true), StandardCharsets.UTF_8))
        .isEqualTo("token ***");
    assertThat(mask.mask(line, line.length, false)).isEqualTo(line);
  }

  @Test
  void messageOmitsSecrets() {
    assertThat(SecretMask.of(List.of("abcdefgh")).toString()).doesNotContain("abc");
  }

  private static String mask(String text, String... secrets) {
    return SecretMask.of(List.of(secrets)).mask(text);
  }
}
