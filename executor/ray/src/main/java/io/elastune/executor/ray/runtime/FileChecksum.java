package io.elastune.executor.ray.runtime;

import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Computes and compares the SHA-256 of files. */
final class FileChecksum {
  private FileChecksum() {}

  /** Returns the SHA-256 of a file in hexadecimal digits. */
  static String of(Path file) throws IOException {
    try (InputStream content = new DigestInputStream(Files.newInputStream(file), sha256())) {
      var unused = content.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(((DigestInputStream) content).getMessageDigest().digest());
    }
  }

  /**
   * Checks a file.
   *
   * @throws CloudException if it has another checksum
   */
  static void check(Path file, String expected) throws IOException {
    String found = of(file);
    if (!found.equals(expected.toLowerCase(Locale.ROOT))) {
      throw new CloudException(
          new CloudFailure.Invalid(
              "The interpreter "
                  + file
                  + " was not used: its SHA-256 is "
                  + found
                  + ", and "
                  + expected
                  + " is expected. Download it again from its publisher"));
    }
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
