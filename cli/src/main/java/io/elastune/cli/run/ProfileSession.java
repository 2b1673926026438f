package io.elastune.cli.run;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.ExitCode;
import io.elastune.cli.failure.Problem;
import io.elastune.cli.json.FileJson;
import io.elastune.cli.wiring.Inputs;
import io.elastune.cli.wiring.InputsLoader;
import io.elastune.cli.world.Output;
import io.elastune.cli.world.World;
import io.elastune.core.config.Overrides;
import io.elastune.core.config.ProfileFile;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.profile.Profile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Optional;

/**
 * Implements {@code elastune profile}: measures the training program of a job, even if a profile
 * already exists.
 */
public final class ProfileSession {
  private final World world;
  private final Output output;
  private final Account account;
  private final Question question;

  /** {@code yes}: whether profiling is confirmed on the command line. */
  public ProfileSession(World world, Output output, boolean yes) {
    this.world = world;
    this.output = output;
    this.account = new Account(world.clock().instant());
    this.question = new Question(world, output, yes, account);
  }

  /**
   * Profiles on the cheapest offer of each GPU model.
   *
   * @param saveTo a file for the profile in addition to the store; requires a single GPU model
   */
  public ExitCode profile(String file, Overrides overrides, Optional<String> saveTo) {
    Inputs inputs = new InputsLoader(world).load(file, overrides);
    if (SimulatedGround.isMeant(inputs.allowed())) {
      throw CommandFailure.usage(
          inputs.job().name(),
          "resources.infra",
          "profiling is not possible in the simulated environment, which requires a"
              + " profile itself");
    }
    Carrier carrier = new Carrier(world, output, inputs.job().value(), inputs.job().folder());
    carrier.check(inputs.job().name(), inputs.allowed());
    List<Offer> offers = Measuring.cheapestOfEachModel(inputs.allowed());
    if (saveTo.isPresent() && offers.size() > 1) {
      throw CommandFailure.usage(
          Problem.of(
              "-o",
              "a profile file holds one GPU model, and the job's offers have " + offers.size(),
              "restrict resources.instance_types to one GPU model"));
    }
    Measuring measuring = new Measuring(world, output, account, carrier);
    output.people().println(measuring.announcement(inputs, offers));
    boolean charged = offers.stream().anyMatch(offer -> offer.price() != PriceKind.NOTIONAL);
    if (charged && !question.confirmed("Start profiling? Type 'yes' to confirm:")) {
      throw new CommandFailure(
          ExitCode.NOT_CONFIRMED,
          List.of(Problem.of("", "not started", "add -y to start without a prompt")));
    }
    for (Offer offer : offers) {
      Profile profile = measuring.measure(inputs, offer);
      saveTo.ifPresent(name -> save(name, profile));
      output.document(() -> FileJson.profile(profile));
    }
    return ExitCode.DONE;
  }

  private void save(String name, Profile profile) {
    try {
      Files.writeString(world.path(name), ProfileFile.write(profile));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    output.people().println("Saved as " + name + "; use it with --profile " + name);
  }
}
