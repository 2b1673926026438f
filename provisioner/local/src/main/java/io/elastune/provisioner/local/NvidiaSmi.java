package io.elastune.provisioner.local;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Asks the driver of NVIDIA, which may not answer. */
final class NvidiaSmi {
  private static final int TIMEOUT_S = 20;

  private NvidiaSmi() {}

  /**
   * Returns the output of {@code nvidia-smi}.
   *
   * @throws IOException if it cannot be run, fails, or does not answer; its message says which
   */
  static String output(String tool, String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of(arguments));
    command.add(0, tool);
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    process.getOutputStream().close();
    CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> read(process));
    try {
      String read = text.get(TIMEOUT_S, TimeUnit.SECONDS);
      if (!process.waitFor(TIMEOUT_S, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("it fails");
      }
      return read;
    } catch (TimeoutException | ExecutionException e) {
      throw new IOException("it does not answer", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static String read(Process process) {
    try {
      return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new CompletionException(e);
    }
  }
}
