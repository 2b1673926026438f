package io.elastune.executor.checkpoint;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Computes the SHA-256 of files. */
public final class FileChecksum {
  private FileChecksum() {}

  /** Returns the SHA-256 of a file in hexadecimal digits. */
  public static String of(Path file) throws IOException {
    try (InputStream content = new DigestInputStream(Files.newInputStream(file), sha256())) {
      var unused = content.transferTo(OutputStream.nullOutputStream());
      return HexFormat.of().formatHex(((DigestInputStream) content).getMessageDigest().digest());
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
