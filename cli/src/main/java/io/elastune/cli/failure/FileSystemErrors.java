package io.elastune.cli.failure;

import io.elastune.core.files.DiskSpace;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.InvalidPathException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;

/** Converts file system exceptions to problems. */
public final class FileSystemErrors {
  private static final String FREE_SPACE = "free disk space, then try again";

  private FileSystemErrors() {}

  /** Returns the problem of a full disk, if the file is not known. */
  static ErrorDetail fullDisk(IOException fault) {
    return ErrorDetail.of("", "cannot write a file: " + fault.getMessage(), FREE_SPACE);
  }

  /** Returns the problem of the file that {@code fault} names. */
  static ErrorDetail problem(FileSystemException fault) {
    String file = fault.getFile() == null ? "" : fault.getFile();
    boolean full = DiskSpace.isFull(String.valueOf(fault.getReason()));
    return ErrorDetail.inFile(file, 0, "", message(fault), full ? FREE_SPACE : "");
  }

  /**
   * Returns the problem of a file name that is invalid, or that the locale cannot encode, such as é
   * with LC_ALL=C.
   */
  static ErrorDetail problem(InvalidPathException fault) {
    boolean locale = fault.getReason().contains("unmappable");
    String message =
        locale ? "the locale cannot represent this file name: " : "is not a valid file name: ";
    return ErrorDetail.inFile(
        fault.getInput(),
        0,
        "",
        message + fault.getReason(),
        locale ? "set a locale with UTF-8, e.g. export LC_ALL=C.UTF-8" : "");
  }

  /** Returns why a file or folder cannot be used, without the name of an exception. */
  public static String reason(IOException fault) {
    return fault instanceof FileSystemException file
        ? message(file)
        : String.valueOf(fault.getMessage());
  }

  private static String message(FileSystemException fault) {
    if (fault instanceof NoSuchFileException) {
      return "no such file or folder";
    }
    if (fault instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (fault instanceof FileAlreadyExistsException) {
      return "already exists";
    }
    if (fault instanceof NotDirectoryException) {
      return "is not a folder";
    }
    String reason = fault.getReason();
    return reason == null ? "cannot be read or written" : "cannot be read or written: " + reason;
  }
}
