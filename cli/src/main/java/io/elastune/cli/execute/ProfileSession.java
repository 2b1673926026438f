package io.elastune.cli.execute;

import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.env.Output;
import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.json.FileJson;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.profile.Profile;
import io.elastune.inputs.Inputs;
import io.elastune.inputs.InputsLoader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Implements {@code elastune profile}: measures the training program of a job, even if a profile
 * already exists.
 */
public final class ProfileSession {
  private final CliEnvironment cliEnvironment;
  private final Output output;
  private final StartOptions options;
  private final RemainingLimits remainingLimits;
  private final ConfirmationPrompt confirmationPrompt;

  public ProfileSession(CliEnvironment cliEnvironment, Output output, StartOptions options) {
    this.cliEnvironment = cliEnvironment;
    this.output = output;
    this.options = options;
    this.remainingLimits = new RemainingLimits(cliEnvironment.clock().instant());
    this.confirmationPrompt =
        new ConfirmationPrompt(cliEnvironment, output, options.yes(), remainingLimits);
  }

  /**
   * Profiles on the cheapest offer of each GPU model.
   *
   * @param saveTo a file for the profile in addition to the store; requires a single GPU model
   */
  public ExitCode profile(String file, Overrides overrides, Optional<String> saveTo) {
    Inputs inputs = new InputsLoader(cliEnvironment).loadToMeasure(file, overrides);
    if (SimulatedRunEnvironment.isSimulated(inputs.allowed())) {
      throw CommandFailure.usage(
          inputs.job().name(),
          "resources.infra",
          "profiling is not possible in the simulated environment, which requires a"
              + " profile itself");
    }
    RunLauncher runLauncher =
        new RunLauncher(cliEnvironment, output, inputs.job().value(), inputs.job().folder());
    // Each model is measured by a run of its own, so they may be of several providers and regions.
    inputs.allowed().stream()
        .collect(Collectors.groupingBy(ProfileSession::region, TreeMap::new, Collectors.toList()))
        .values()
        .forEach(ofRegion -> runLauncher.check(inputs.job(), ofRegion));
    new HypotheticalPlans(inputs, Map.of()).requirePossible();
    List<Offer> offers = ProfilingRun.cheapestOfEachModel(inputs);
    if (saveTo.isPresent() && offers.size() > 1) {
      throw CommandFailure.invalid(
          "-o",
          "a profile file describes one GPU model, but the job's offers have " + offers.size(),
          "restrict resources.instance_types to one GPU model");
    }
    JobGuard guard =
        JobGuard.acquire(
            cliEnvironment, output, inputs.job().value().name(), Optional.empty(), options);
    try (guard) {
      return profile(inputs, offers, runLauncher, saveTo);
    }
  }

  private static String region(Offer offer) {
    return Arrays.stream(offer.infra().split("/", -1)).limit(2).collect(Collectors.joining("/"));
  }

  private ExitCode profile(
      Inputs inputs, List<Offer> offers, RunLauncher runLauncher, Optional<String> saveTo) {
    ProfilingRun profilingRun =
        new ProfilingRun(cliEnvironment, output, remainingLimits, runLauncher);
    profilingRun.requireTimeLeft(inputs.job().value());
    output.text().println(profilingRun.announcement(inputs, offers));
    boolean charged = offers.stream().anyMatch(offer -> offer.price() != PriceKind.NOTIONAL);
    if (charged && !confirmationPrompt.confirm("Start profiling? Type 'yes' to confirm:")) {
      throw CommandFailure.of(
          ExitCode.NOT_CONFIRMED, "", "not started", "add -y to start without a prompt");
    }
    for (Profile profile : profilingRun.measureAll(inputs, offers)) {
      saveTo.ifPresent(name -> save(name, profile));
      output.jsonDocument(() -> FileJson.profile(profile));
    }
    return ExitCode.DONE;
  }

  private void save(String name, Profile profile) {
    try {
      Files.writeString(cliEnvironment.path(name), ProfileFile.write(profile));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output.text().println("Saved as " + name + "; use it with --profile " + name);
  }
}
