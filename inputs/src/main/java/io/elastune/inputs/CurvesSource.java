package io.elastune.inputs;

import io.elastune.core.config.CurvesFile;
import io.elastune.core.plan.Problem;
import io.elastune.core.search.LearningCurves;
import io.elastune.simulator.rank.CurveRules;
import java.util.List;

/** Reads the learning curves of the option {@code --curves}. */
public final class CurvesSource {
  private final InputEnvironment environment;

  public CurvesSource(InputEnvironment environment) {
    this.environment = environment;
  }

  /** Returns the curves of a file, which must suffice for the job. */
  public LearningCurves load(String path, Inputs inputs, Problem problem) {
    LoadedFile<LearningCurves> file =
        new TextFileReader(environment)
            .read(
                environment.path(path),
                (name, text) ->
                    CurvesFile.parse(name, text, inputs.job().value().search().metric().goal()))
            .orThrow();
    List<String> problems = CurveRules.problems(problem, file.value());
    if (!problems.isEmpty()) {
      throw JobProblems.option(
          "--curves",
          file.name() + " " + String.join("; ", problems),
          "write a row for each trial and unit at which trials are compared");
    }
    return file.value();
  }
}
