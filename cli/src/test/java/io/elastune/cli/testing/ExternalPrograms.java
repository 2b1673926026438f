package io.elastune.cli.testing;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Map;

/** Runs external programs. */
public final class ExternalPrograms {
  private ExternalPrograms() {}

  /** Returns whether the program is on the PATH. */
  public static boolean isInstalled(String program) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
  }

  /** Returns the output of a program, which must exit with 0. */
  public static String output(Path folder, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    ProcessBuilder builder = new ProcessBuilder(command).directory(folder.toFile());
    builder.environment().putAll(environment);
    builder.redirectErrorStream(true);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
    return output;
  }

  /** Sends a signal to a process by name, e.g. INT. */
  public static void signal(long pid, String name) throws IOException, InterruptedException {
    output(
        Path.of("").toAbsolutePath(),
        Map.of(),
        "sh",
        "-c",
        "kill -s \"$1\" \"$2\"",
        "kill",
        name,
        Long.toString(pid));
  }

  /** Returns the file's checksum. */
  public static String sha256(Path file) throws IOException, GeneralSecurityException {
    return HexFormat.of()
        .formatHex(MessageDigest.getInstance("SHA-256").digest(Files.readAllBytes(file)));
  }
}
