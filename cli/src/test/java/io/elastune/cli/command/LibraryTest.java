package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import io.elastune.core.config.Overrides;
import io.elastune.inputs.JobLoader;
import io.elastune.plan.LibraryEnvironment;
import io.elastune.plan.api.ComparedCases;
import io.elastune.plan.api.InvalidInputException;
import io.elastune.plan.api.NoPlanException;
import io.elastune.plan.api.Plans;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The Java library and the commands give equal JSON. */
class LibraryTest {
  private static final String WORKED = "worked-example";

  @TempDir private Path folder;

  static List<Path> examples() throws IOException {
    try (Stream<Path> folders = Files.list(ExampleFiles.WORKED.getParent())) {
      return folders
          .map(example -> example.resolve("job.yaml"))
          .filter(Files::exists)
          .sorted()
          .toList();
    }
  }

  @ParameterizedTest
  @MethodSource("examples")
  void planOfEveryExampleIsEqual(Path job) throws IOException {
    boolean hasProfile = job.getParent().endsWith(WORKED);
    List<String> options = new ArrayList<>(List.of("plan", job.toString(), "--json"));
    Plans plans = plans(job);
    if (!hasProfile) {
      Path profile = profile(job);
      options.addAll(List.of("--profile", profile.toString()));
      plans = plans.profiles(profile);
    }
    InProcessCli.Result command = command(options);

    JsonNode library = tree(command.exit() == 0 ? plans.best().json() : missed(plans));

    assertThat(command.exit()).as(command.err()).isIn(0, 10);
    assertThat(library).isEqualTo(command.json());
  }

  /**
   * Each of these once gave a program other numbers, except the first: the table of prices is that
   * of the provider, which is here.
   */
  static List<String> jobs() {
    return List.of(
        "  offers: offers.yaml\n -> ",
        "max_instances: 8 -> max_instances: 8\n  discount: 30%",
        "max_instances: 8 -> instances: 2\npolicy: fluid",
        "profile: {file: profile.yaml} -> profile: {file: measured.yaml}",
        "infra: [aws/us-east-1] -> infra: [aws/us-east-1/us-east-1a]",
        "deadline: 430s -> deadline: 100s",
        "deadline: 430s -> deadline: 430s\nbudget: {usd: 0.50}");
  }

  @ParameterizedTest
  @MethodSource("jobs")
  void rulesOfInputsAreEqual(String change) throws IOException {
    for (String file : List.of("offers.yaml", "profile.yaml")) {
      Files.copy(ExampleFiles.WORKED.resolve(file), folder.resolve(file));
    }
    Files.writeString(
        folder.resolve("measured.yaml"),
        Files.readString(folder.resolve("profile.yaml"))
            + """
            provisioning:
              - offer: aws/us-east-1/p3.8xlarge/on-demand
                queue_s: {mean: 41, cv: 0}
                boot_s: {mean: 67, cv: 0}
                samples: 3
            """);
    String[] parts = change.split(" -> ", 2);
    String text = Files.readString(ExampleFiles.WORKED.resolve("job.yaml"));
    assertThat(text).contains(parts[0]);
    Path job = Files.writeString(folder.resolve("job.yaml"), text.replace(parts[0], parts[1]));

    InProcessCli.Result command = command(List.of("plan", job.toString(), "--json"));

    Plans plans = plans(job);
    if (command.exit() == 2) {
      InvalidInputException thrown = catchThrowableOfType(InvalidInputException.class, plans::best);
      assertThat(thrown.problems().get(0).message())
          .isEqualTo(
              command.json().path("error").path("problems").path(0).path("message").asString());
      return;
    }
    JsonNode library = tree(command.exit() == 0 ? plans.best().json() : missed(plans));
    assertThat(library).isEqualTo(command.json());
    assertThat(library)
        .isNotEqualTo(tree(plans(ExampleFiles.WORKED.resolve("job.yaml")).best().json()));
  }

  @Test
  void frontierOnAnyMarketIsEqual() {
    Path job = ExampleFiles.REPOSITORY.resolve("configs/rehearsal/spot.yaml");

    InProcessCli.Result command = command(List.of("plan", job.toString(), "--frontier", "--json"));

    assertThat(tree(plans(job).frontier().json())).isEqualTo(command.json());
  }

  @Test
  void simulationIsEqual() {
    Path job = ExampleFiles.WORKED.resolve("job.yaml");
    Path plan = ExampleFiles.WORKED.resolve("plan-shrinking.json");
    UnaryOperator<Plans> spread =
        plans ->
            plans
                .offers(ExampleFiles.WORKED.resolve("offers-spread.yaml"))
                .profiles(ExampleFiles.WORKED.resolve("profile-spread.yaml"));

    InProcessCli.Result command =
        command(
            List.of(
                "simulate",
                job.toString(),
                plan.toString(),
                "--offers",
                ExampleFiles.WORKED.resolve("offers-spread.yaml").toString(),
                "--profile",
                ExampleFiles.WORKED.resolve("profile-spread.yaml").toString(),
                "--json"));

    assertThat(tree(spread.apply(plans(job)).simulate(plan).json())).isEqualTo(command.json());
  }

  @Test
  void estimateIsEqual() {
    Path job = ExampleFiles.WORKED.resolve("job.yaml");

    InProcessCli.Result command =
        command(
            List.of(
                "estimate",
                job.toString(),
                "--unit-time",
                "30s@V100",
                "--speedup",
                "2=1.875",
                "--deadline",
                "400s,20m",
                "--budget",
                "1,50",
                "--json"));

    assertThat(command.exit()).as(command.err()).isZero();
    assertThat(
            tree(
                plans(job)
                    .profile("V100", Map.of(1, 30.0, 2, 16.0))
                    .estimate(ComparedCases.OF_JOB.by("400s", "20m").within(1.0, 50.0))
                    .json()))
        .isEqualTo(command.json());
  }

  private Plans plans(Path job) {
    return Plans.of(job)
        .folder(folder)
        .home(folder.resolve("home"))
        .clock(InstantSource.fixed(InProcessCli.NOW));
  }

  private InProcessCli.Result command(List<String> arguments) {
    return new InProcessCli(folder).run(arguments.toArray(String[]::new));
  }

  private static JsonNode tree(String json) {
    return JsonMapper.shared().readTree(json);
  }

  private static String missed(Plans plans) {
    return catchThrowableOfType(NoPlanException.class, plans::best).missed().json();
  }

  /** Writes a profile for the cores of this machine. */
  private Path profile(Path job) throws IOException {
    String unit =
        new JobLoader(
                new LibraryEnvironment(
                    folder,
                    Optional.of(folder),
                    Optional.empty(),
                    InstantSource.fixed(InProcessCli.NOW)))
            .load(job.toString(), Overrides.NONE)
            .value()
            .search()
            .resource()
            .unit();
    return Files.writeString(
        folder.resolve("profile.yaml"),
        """
        program: example
        gpu: cpu
        unit: %s
        measured: {at: 2026-11-20T06:00:00Z, source: synthetic, samples: 40}
        training:
          - {gpus: 1, seconds: 2.0}
          - {gpus: 2, seconds: 1.2}
        """
            .formatted(unit));
  }
}
