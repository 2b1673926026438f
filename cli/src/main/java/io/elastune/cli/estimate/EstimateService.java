package io.elastune.cli.estimate;

import io.elastune.cli.env.AtomicFileWriter;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.html.HtmlFile;
import io.elastune.core.ShellWord;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.time.Durations;
import io.elastune.inputs.AssumedTraining;
import io.elastune.inputs.GpuRatios;
import io.elastune.inputs.JobLoader;
import io.elastune.inputs.UnitTime;
import io.elastune.plan.estimate.CasePlanner;
import io.elastune.plan.estimate.CaseResult;
import io.elastune.plan.estimate.ComparisonDocument;
import io.elastune.plan.estimate.EstimateCase;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalDouble;

/** Implements the command {@code estimate}: compares places, markets and limits. Starts nothing. */
public final class EstimateService {
  private final CliEnvironment cliEnvironment;
  private final Output output;

  public EstimateService(CliEnvironment cliEnvironment, Output output) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
  }

  /**
   * The arguments of the command.
   *
   * @param job the job file
   * @param unitTimes the known times; if empty, a user at a terminal is asked
   * @param speedups the speed-up over one GPU by GPUs per trial
   * @param startupS seconds of a trial's start-up; empty if the unit times include it
   * @param trialCv coefficient of variation of a trial's duration
   * @param cases the cases to compare
   * @param general the options that apply to every case
   * @param saveTo the file for the assumed profile
   * @param html the file for the comparison as HTML
   */
  public record Request(
      String job,
      List<UnitTime> unitTimes,
      NavigableMap<Integer, Double> speedups,
      OptionalDouble startupS,
      double trialCv,
      List<EstimateCase> cases,
      Overrides general,
      Optional<String> saveTo,
      Optional<HtmlFile> html) {}

  /** Plans all cases and shows the answers. */
  public ExitCode estimate(Request request) {
    Job job =
        new JobLoader(cliEnvironment)
            .load(request.job(), request.cases().get(0).overrides(request.general()))
            .value();
    String unit = job.search().resource().unit();
    List<UnitTime> times = new ArrayList<>(request.unitTimes());
    if (times.isEmpty()) {
      times.add(new EstimateDialog(cliEnvironment, output).unitTime(unit));
    }
    AssumedTraining training =
        new AssumedTraining(
            times, request.speedups(), request.startupS(), request.trialCv(), GpuRatios.shipped());
    List<CaseResult> results =
        new CasePlanner(cliEnvironment, request.job(), request.general(), training)
            .plan(request.cases(), job.name(), unit);
    ComparisonScreen screen =
        new ComparisonScreen(training, results, unit, cliEnvironment.clock().instant());
    screen.lines().forEach(output.text()::println);
    request
        .html()
        .ifPresent(
            file -> file.save(cliEnvironment, output, fragment -> screen.page().html(fragment)));
    request.saveTo().ifPresent(file -> save(request.job(), training, job.name(), unit, file));
    output.jsonDocument(() -> ComparisonDocument.of(training, results));
    return results.stream().anyMatch(result -> result.found().isPresent())
        ? ExitCode.DONE
        : ExitCode.INFEASIBLE;
  }

  private void save(
      String job, AssumedTraining training, String program, String unit, String file) {
    boolean several = training.unitTimes().size() > 1;
    for (UnitTime time : training.unitTimes()) {
      Path path = AssumedProfileFile.path(cliEnvironment.path(file), time.gpu(), several);
      String origin =
          "The user said: one "
              + unit
              + " takes "
              + Durations.format(time.seconds())
              + " on one GPU.";
      training
          .profile(program, unit, time.gpu(), cliEnvironment.clock().instant())
          .ifPresent(
              profile -> AtomicFileWriter.write(path, AssumedProfileFile.text(profile, origin)));
      output
          .text()
          .println(
              "Profile saved to "
                  + cliEnvironment.displayPath(path)
                  + ". Use it with 'elastune plan "
                  + ShellWord.of(job)
                  + " --profile "
                  + ShellWord.of(cliEnvironment.displayPath(path))
                  + "'.");
    }
  }
}
