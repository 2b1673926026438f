package io.elastune.cli.env;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Detects results that could not be written, for example to a file on a full disk. */
public final class LostOutput {
  private static final Path STANDARD_OUTPUT = Path.of("/dev/stdout");
  private static final int FILE_TYPE = 0xF000;
  private static final int PIPE = 0x1000;
  private static final int SOCKET = 0xC000;

  private LostOutput() {}

  /**
   * Returns whether results of this process are lost. Those that the reader of a pipe did not want,
   * such as {@code head}, are not.
   */
  public static boolean isDetected(CliEnvironment real) {
    return real.out().checkError() && !isPipe();
  }

  private static boolean isPipe() {
    try {
      int type = (int) Files.getAttribute(STANDARD_OUTPUT, "unix:mode") & FILE_TYPE;
      return type == PIPE || type == SOCKET;
    } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
      return true; // unknown: a closed pipe is far more frequent than a full disk
    }
  }
}
