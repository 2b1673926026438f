package io.elastune.executor.engine;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The shell functions of test trials. */
public final class TrialScripts {
  private TrialScripts() {}

  /** Copies {@code lib.sh} to the folder of a test. */
  public static void copyTo(Path folder) throws IOException {
    try (InputStream lib = TrialScripts.class.getResourceAsStream("lib.sh")) {
      Files.copy(lib, folder.resolve("lib.sh"), StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Returns a script that uses the functions. */
  public static String lib(String script) {
    return ". \"$LIB\"\n" + script;
  }
}
