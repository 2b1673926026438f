package io.elastune.core.files;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Reads files that others have written, up to a limit: they may be of any size, and a device never
 * ends.
 */
public final class LimitedFile {
  private static final int MB = 1_000_000;
  private static final int MIB = 1 << 20;

  private LimitedFile() {}

  /** A file is larger than its limit; the message says so, without the name of the file. */
  public static final class TooLargeException extends IOException {
    private static final long serialVersionUID = 1;

    private TooLargeException(int most) {
      super("is larger than " + (most % MIB == 0 ? most / MIB + " MiB" : most / MB + " MB"));
    }
  }

  /**
   * Returns the content of a file.
   *
   * @param most the limit in bytes, a multiple of a MB or a MiB
   * @throws TooLargeException if the file is larger
   */
  public static byte[] read(Path path, int most) throws IOException {
    try (InputStream file = Files.newInputStream(path)) {
      byte[] bytes = file.readNBytes(most + 1);
      if (bytes.length > most) {
        throw new TooLargeException(most);
      }
      return bytes;
    }
  }
}
