package io.elastune.executor.code;

import java.io.IOException;

/** A workdir or a snapshot that cannot be used: for the user to correct. */
public final class CodeException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final String hint;

  /** {@code hint}: what the user can do. */
  CodeException(String message, String hint) {
    super(message);
    this.hint = hint;
  }

  /** An input or output error; the file system's message names the file. */
  static CodeException of(String what, IOException e) {
    return new CodeException(
        what + ": " + e.getMessage() + " (" + e.getClass().getSimpleName() + ")",
        "check free space and permissions, or list the file in .elastuneignore");
  }

  /** Returns what the user can do. */
  public String hint() {
    return hint;
  }
}
