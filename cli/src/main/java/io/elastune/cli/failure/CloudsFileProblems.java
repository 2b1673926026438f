package io.elastune.cli.failure;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.core.config.FileProblem;
import io.elastune.executor.engine.EngineProviders;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudProviders;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * Completes the problems of {@code clouds.yaml}. Each part of the installation reads a section of
 * its own, but a user corrects the whole file at once.
 */
final class CloudsFileProblems {
  private CloudsFileProblems() {}

  /**
   * Returns all problems of the settings, by line, if some of the given ones are problems of them;
   * otherwise the given ones.
   */
  static List<FileProblem> complete(List<FileProblem> some, CliEnvironment cliEnvironment) {
    CloudContext context = cliEnvironment.cloudContext();
    String file = context.settings().toString();
    if (some.stream().noneMatch(problem -> problem.file().equals(file))) {
      return some;
    }
    Stream<FileProblem> clouds =
        CloudProviders.all().stream()
            .flatMap(provider -> provider.settingsProblems(context).stream());
    Stream<FileProblem> engines =
        EngineProviders.all().flatMap(engine -> engine.settingsProblems(context).stream());
    return Stream.of(some.stream(), clouds, engines)
        .flatMap(problems -> problems)
        .distinct()
        .sorted(Comparator.comparingInt(FileProblem::line))
        .toList();
  }
}
