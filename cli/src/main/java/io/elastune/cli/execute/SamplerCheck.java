package io.elastune.cli.execute;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.core.files.PrivateFolder;
import io.elastune.core.job.Job;
import io.elastune.executor.sampler.OptunaSampler;
import io.elastune.executor.sampler.SamplerException;
import io.elastune.executor.sampler.SamplerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Checks the sampler of a job before anything is rented: it must propose a configuration. */
final class SamplerCheck {
  private static final String FIELD = "search.sampler";

  private SamplerCheck() {}

  /**
   * Requests one configuration.
   *
   * @throws CommandFailure if the sampler cannot be started or proposes nothing
   */
  static void check(String jobFile, Job job) {
    if (!job.search().usesSampler()) {
      return;
    }
    try {
      Path folder = PrivateFolder.createTemporary("elastune-sampler");
      try (OptunaSampler sampler = new OptunaSampler(job.search(), folder)) {
        sampler.propose(new SamplerRequest(0, 1, List.of()));
      } catch (SamplerException e) {
        throw CommandFailure.usage(
            jobFile, FIELD, "the sampler proposes nothing: " + e.getMessage());
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        remove(folder);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void remove(Path folder) throws IOException {
    for (String file : List.of("optuna_bridge.py", "sampler.log")) {
      Files.deleteIfExists(folder.resolve(file));
    }
    Files.delete(folder);
  }
}
