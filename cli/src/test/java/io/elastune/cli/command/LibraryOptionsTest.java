package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.CommandLineApp;
import io.elastune.cli.env.CliEnvironment;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.plan.api.ComparedCases;
import io.elastune.plan.api.InvalidInputException;
import io.elastune.plan.api.NoPlanException;
import io.elastune.plan.api.Plans;
import io.elastune.plan.api.SimulationOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Each option of a command that changes numbers has an equal counterpart in the Java library. */
class LibraryOptionsTest {
  /** Options that choose what is printed or saved; {@code --frontier} is another method. */
  private static final Set<String> OUTPUT =
      Set.of(
          "--json",
          "--verbose",
          "--help",
          "--output",
          "--svg",
          "--dot",
          "--html",
          "--fragment",
          "--frontier");

  @TempDir private Path folder;

  /**
   * A command line, and the same with the library.
   *
   * @param options the command and its options
   * @param library returns the JSON document
   */
  record Case(String options, Function<Plans, String> library) {
    @Override
    public String toString() {
      return options;
    }
  }

  static List<Case> cases() {
    return List.of(
        plan(
            "--deadline 20m --budget 20 --confidence 0.5 --seed 7 --trials 6 --market on-demand"
                + " --gpu V100 --instance-types p3.8xlarge --max-instances 3 --prefer fastest"
                + " --wait-for-capacity 30m --sampler optuna --clouds clouds.yaml",
            plans ->
                plans
                    .deadline("20m")
                    .budgetUsd(20)
                    .confidence(0.5)
                    .seed(7)
                    .trials(6)
                    .market("on-demand")
                    .gpus("V100")
                    .instanceTypes("p3.8xlarge")
                    .maxInstances(3)
                    .prefer("fastest")
                    .waitForCapacity("30m")
                    .sampler("optuna")
                    .clouds(Path.of("clouds.yaml"))),
        plan("--budget 0.5 --trials 4", plans -> plans.budgetUsd(0.5).trials(4)),
        plan("--infra simulated", plans -> plans.infra("simulated")),
        plan("--gpu A100", plans -> plans.gpus("A100")),
        plan("--instances 2 --policy fluid", plans -> plans.instances(2).policy("fluid")),
        plan("--prefer 12.5", plans -> plans.hourWorthUsd(12.5)),
        plan("--brackets shared", plans -> plans.brackets("shared")),
        plan("--warm-start latest", plans -> plans.warmStart("latest")),
        plan("--planner static", plans -> plans.planner("static")),
        plan("--planner odd", plans -> plans.planner("odd")),
        plan("--time-limit 1s", plans -> plans.timeLimit(Duration.ofSeconds(1))),
        plan("--choice 10", plans -> plans.choice(10)),
        plan("--choice 13", plans -> plans.choice(13)),
        plan("--choice 99", plans -> plans.choice(99)),
        plan("--deadline 1h --offers fast.yaml --choice knee", plans -> fast(plans).knee()),
        plan(
            "--profile profile-spread.yaml",
            plans -> plans.profiles(Path.of("profile-spread.yaml"))),
        simulate("--samples 300", SimulationOptions.DEFAULT.withSamples(300)),
        simulate("--ranks last-best", SimulationOptions.DEFAULT.withRanks("last-best")),
        simulate("--ranks odd", SimulationOptions.DEFAULT.withRanks("odd")),
        simulate("--trace", SimulationOptions.DEFAULT.withTrace()),
        simulate(
            "--curves curves.csv", SimulationOptions.DEFAULT.withCurves(Path.of("curves.csv"))),
        simulate("--curves none.csv", SimulationOptions.DEFAULT.withCurves(Path.of("none.csv"))),
        new Case(
            "estimate job.yaml --unit-time 30s@V100 --speedup 2=1.875 --startup 10s --spread 5%"
                + " --trials 8 --max-instances 4 --gpu V100 --offers offers.yaml"
                + " --market on-demand --infra aws/us-east-1 --deadline 400s,20m --budget 1,50",
            plans ->
                plans
                    .profile("V100", Map.of(1, 30.0, 2, 16.0))
                    .startupSeconds(10)
                    .spread(0.05)
                    .trials(8)
                    .maxInstances(4)
                    .gpus("V100")
                    .offers(Path.of("offers.yaml"))
                    .estimate(
                        ComparedCases.OF_JOB
                            .by("400s", "20m")
                            .within(1.0, 50.0)
                            .on("on-demand")
                            .in("aws/us-east-1"))
                    .json()));
  }

  private static Plans fast(Plans plans) {
    return plans.deadline("1h").offers(Path.of("fast.yaml"));
  }

  private static Case plan(String options, Function<Plans, Plans> library) {
    return new Case("plan job.yaml " + options, plans -> library.apply(plans).best().json());
  }

  private static Case simulate(String options, SimulationOptions library) {
    return new Case(
        "simulate job.yaml plan-shrinking.json " + options,
        plans -> plans.simulate(Path.of("plan-shrinking.json"), library).json());
  }

  @ParameterizedTest
  @MethodSource("cases")
  void documentIsEqual(Case one) throws IOException {
    files();
    if (one.options().contains("latest")) {
      assertThat(command("run job.yaml --infra simulated -y --seed 3").exit()).isZero();
    }

    InProcessCli.Result command = command(one.options() + " --json");

    assertThat(library(one)).as(command.err()).isEqualTo(comparable(command));
  }

  /** Returns the document, or the first problem if the command is refused. */
  private static JsonNode comparable(InProcessCli.Result command) {
    JsonNode document = command.json();
    return document.has("error")
        ? JsonMapper.shared()
            .valueToTree(
                document.at("/error/problems/0/message").asString().replaceFirst(" finishes.*", ""))
        : document;
  }

  private JsonNode library(Case one) {
    Plans plans =
        Plans.of(Path.of("job.yaml"))
            .folder(folder)
            .home(folder.resolve("home"))
            .clock(InstantSource.fixed(InProcessCli.NOW));
    try {
      return JsonMapper.shared().readTree(one.library().apply(plans));
    } catch (NoPlanException e) {
      return JsonMapper.shared().readTree(e.missed().json());
    } catch (InvalidInputException e) {
      return JsonMapper.shared()
          .valueToTree(e.problems().get(0).message().replace(" does not meet the deadline", ""));
    }
  }

  private InProcessCli.Result command(String line) {
    return new InProcessCli(folder).run(line.split(" ", -1));
  }

  /** Copies the worked example, and adds a trial order and instances that boot in a second. */
  private void files() throws IOException {
    try (Stream<Path> files = Files.list(ExampleFiles.WORKED)) {
      for (Path file : files.toList()) {
        Files.copy(file, folder.resolve(file.getFileName()));
      }
    }
    Files.writeString(
        folder.resolve("fast.yaml"),
        Files.readString(folder.resolve("offers.yaml")).replaceAll("mean: 60", "mean: 1"));
    StringBuilder curves = new StringBuilder("trial,unit,metric\n");
    for (int trial = 1; trial <= 16; trial++) {
      for (int unit : new int[] {1, 2, 4, 8}) {
        curves
            .append(trial)
            .append(',')
            .append(unit)
            .append(",0.")
            .append(100 - trial)
            .append('\n');
      }
    }
    Files.writeString(folder.resolve("curves.csv"), curves);
  }

  private static boolean isShared(String line) {
    return line.startsWith("plan ");
  }

  @Test
  void everyOptionOfTheCommandsIsCompared() {
    List<String> all = new ArrayList<>();
    for (String command : List.of("plan", "simulate", "estimate")) {
      Set<String> compared =
          cases().stream()
              .map(Case::options)
              // The commands read options that they share in one place.
              .filter(line -> line.startsWith(command) || isShared(line))
              .flatMap(line -> Stream.of(line.split(" ", -1)))
              .collect(Collectors.toSet());
      new CommandLineApp(CliEnvironment.real())
          .commandLine().getSubcommands().get(command).getCommandSpec().options().stream()
              .map(option -> option.longestName())
              .filter(option -> !OUTPUT.contains(option) && !compared.contains(option))
              .forEach(option -> all.add(command + " " + option));
    }

    assertThat(all).isEmpty();
  }
}
