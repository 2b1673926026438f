package io.elastune.cli.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.elastune.cli.testing.DotGraph;
import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Tests {@code simulate --ranks --curves --trace} on the examples of docs/searches.md. */
class SimulateSearchTest {
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";

  /** A spending guard needs many more samples. */
  private static final String BUDGET = "budget: {usd: 50}\n";

  @TempDir Path folder;

  @ParameterizedTest
  @CsvSource({
    "first-best, 2x1, 2x1, 16 8 4 2,    155, 435.000, 2.1420, 2.8560",
    "first-best, 2x1, 2x2, 16 8 4 2,    155, 339.385, 1.9584, 2.2100",
    "first-best, 4x1, 4x4, 16 8 4 2,     75, 252.694, 2.5602, 3.2368",
    "last-best,  2x1, 2x1, 16 15 14 13, 355, 635.000, 4.2160, 4.2160",
    "last-best,  4x1, 4x4, 16 10 6 4,    75, 297.771, 3.1790, 3.8488",
  })
  void ashaWithKnownRanks(
      String ranks,
      String open,
      String closing,
      String tasks,
      double closingS,
      double completionS,
      double elasticUsd,
      double staticUsd)
      throws IOException {
    Path job = job("asha, trials: 16, eta: 2", 1, 8);
    Files.writeString(job, Files.readString(job) + BUDGET);
    JsonNode elastic =
        json(job, plan(false, Map.of("open", open, "closing", closing)), "--ranks", ranks);
    JsonNode hold =
        json(job, plan(true, Map.of("open", open, "closing", closing)), "--ranks", ranks);

    assertThat(elastic.path("estimate").path("samples").asInt()).isEqualTo(1);
    assertThat(mean(elastic, "completion_s")).isCloseTo(completionS, within(0.0005));
    assertThat(mean(elastic, "cost_usd")).isCloseTo(elasticUsd, within(0.00005));
    assertThat(mean(hold, "cost_usd")).isCloseTo(staticUsd, within(0.00005));
    assertThat(elastic.path("closing_s").asDouble()).isEqualTo(closingS);
    assertThat(
            stream(elastic.path("rungs"))
                .map(rung -> String.valueOf(rung.path("tasks").path("mean").asInt()))
                .collect(Collectors.joining(" ")))
        .isEqualTo(tasks);
  }

  @Test
  void drawsTheFirstSampleOfAsha() throws IOException {
    Path job = job("asha, trials: 16, eta: 2", 1, 8);
    Path plan = plan(false, Map.of("open", "2x1", "closing", "2x2"));

    InProcessCli.Result result = run(job, plan, "--ranks", "first-best", "--dot", "-");

    assertThat(result.exit()).as(result.err()).isZero();
    DotGraph graph = DotGraph.parse(result.out());
    assertThat(result.out()).contains("search: the first sample, completion 339.385 s");
    assertThat(graph.boxes())
        .containsExactly(
            "group open: 2 × p3.8xlarge, 1 GPU per trial",
            "rung r0: 16 trials to 1 epoch",
            "rung r1: 8 trials to 2 epochs",
            "rung r2: 4 trials to 4 epochs",
            "rung r3: 2 trials to 8 epochs",
            "group closing: 2 × p3.8xlarge, 2 GPUs per trial");
    assertThat(graph.labels().values())
        .contains("acquire 2 instances\nat 0 s", "instance 2 boots\n60 s from 15 s")
        .contains("trial 16 on instance 2\n40 s from 155 s", "group open ends\nat 155 s")
        .contains("group closing ends\nat 339.385 s", "release instance 1\nat 339.385 s")
        .hasSize(1 + 2 + 2 + 30 + 2 + 2);
    assertThat(run(job, plan, "--dot", "-", "--ranks", "first-best").out()).isEqualTo(result.out());
  }

  @Test
  void drawsTheFirstSampleUnderAPolicy() throws IOException {
    Path job = job("asha, trials: 4, eta: 2", 1, 8);
    Files.writeString(
        job, Files.readString(job).replace("max_instances: 8", "instances: 1") + "policy: fluid\n");
    Path plan = plan(true, Map.of("open", "1x1", "closing", "1x1"));

    InProcessCli.Result result = run(job, plan, "--dot", "-");

    assertThat(result.exit()).as(result.err()).isZero();
    DotGraph graph = DotGraph.parse(result.out());
    assertThat(graph.boxes()).contains("rung r0: 4 trials to 1 epoch");
    assertThat(result.err()).contains("where the time goes: training ", "what would help: ");
  }

  /** The worked example of docs/searches.md: one worker, the first trials are the best. */
  @Test
  void asynchronousHyperband() throws IOException {
    Path job = job("asha, trials: 17, eta: 3, asha: {brackets: 3}", 1, 9);
    Path plan = plan(false, Map.of("open", "1x4", "closing", "1x4"));

    JsonNode json = json(job, plan, "--ranks", "first-best", "--trace");

    assertThat(tasks(json))
        .startsWith("1@r0", "2@r0", "3@r1", "4@r0", "1@r1", "5@r1", "6@r0", "7@r2")
        .endsWith("15@r1", "16@r0", "4@r1", "1@r2", "17@r2");
    assertThat(units(json)).isEqualTo(69);
    assertThat(stream(json.path("rungs")).map(rung -> rung.path("new_trials").asInt()))
        .containsExactly(9, 5, 3);
  }

  /** Figure 2 of the paper: nine trials on one worker. */
  @Test
  void ashaWithCurves() throws IOException {
    Map<Integer, double[]> special =
        Map.of(1, new double[] {1, 2, 1}, 6, new double[] {2, 3, 1}, 8, new double[] {3, 1, 1});
    Path curves =
        curves(
            "trial,unit,metric",
            9,
            trial -> {
              double[] at = special.getOrDefault(trial, new double[] {10 + trial, 99, 99});
              return List.of(trial + ",1," + at[0], trial + ",3," + at[1], trial + ",9," + at[2]);
            });
    Path job = job("asha, trials: 9, eta: 3", 1, 9, "minimize");
    Path plan = plan(false, Map.of("open", "1x4", "closing", "1x4"));

    JsonNode resumed = json(job, plan, "--curves", curves.toString(), "--trace");

    assertThat(tasks(resumed))
        .containsExactly(
            "1@r0", "2@r0", "3@r0", "1@r1", "4@r0", "5@r0", "6@r0", "6@r1", "7@r0", "8@r0", "9@r0",
            "8@r1", "8@r2");
    assertThat(units(resumed)).isEqualTo(21);
    Files.writeString(job, Files.readString(job) + "  resumable: false\n");
    JsonNode fromScratch = json(job, plan, "--curves", curves.toString(), "--trace");
    assertThat(tasks(fromScratch)).isEqualTo(tasks(resumed));
    assertThat(units(fromScratch)).isEqualTo(27);
  }

  @Test
  void recordedSecondsReplaceThoseOfTheProfile() throws IOException {
    Path curves =
        curves(
            "trial,unit,metric,seconds",
            4,
            trial -> List.of(trial + ",1," + trial + ",60", trial + ",2," + trial + ","));
    Path job = job("sha, trials: 4, eta: 2", 1, 2, "minimize");
    Path plan = plan(false, Map.of("1", "1x2", "2", "1x1"));

    JsonNode json = json(job, plan, "--curves", curves.toString(), "--trace");

    // Two at a time on 2 GPUs: 75 + 2 (10 + 60/1.870), then 1 GPU: 10 + 30.
    assertThat(mean(json, "completion_s")).isCloseTo(75 + 2 * (10 + 60 / 1.87) + 40, within(0.01));
    assertThat(tasks(json)).containsExactly("1@1", "2@1", "3@1", "4@1", "1@2", "2@2");
  }

  @Test
  void populationReplacesWorstMembers() throws IOException {
    double[] metrics = {.52, .61, .40, .77, .66, Double.NaN, .70, .55, .61, .73};
    Path curves =
        curves("trial,unit,metric", 10, trial -> List.of(trial + ",2," + metrics[trial - 1]));
    Path job = job("pbt, trials: 10, pbt: {quantile: 0.25}", 2, 4, "maximize");
    Path plan = plan(false, Map.of("1", "3x1", "2", "3x1"));

    JsonNode json = json(job, plan, "--curves", curves.toString(), "--trace");

    assertThat(tasks(json).subList(10, 20))
        .containsExactly("2@2", "4@2", "5@2", "7@2", "8@2", "9@2", "10@2", "11@2", "12@2", "13@2");
    assertThat(
            starts(json).stream()
                .filter(start -> !start.path("parent").isNull())
                .map(start -> start.path("parent").asInt()))
        .hasSize(3)
        .allMatch(List.of(4, 7, 10)::contains);
  }

  @Test
  void lastTrialsContinueInOtherOrder() throws IOException {
    Path job = job("sha, trials: 4, eta: 2", 1, 2);
    Path plan = plan(false, Map.of("1", "1x1", "2", "1x1"));

    assertThat(tasks(json(job, plan, "--trace", "--ranks", "last-best")).subList(4, 6))
        .containsExactly("3@2", "4@2");
    assertThat(run(job, plan, "--trace", "--ranks", "first-best").out())
        .contains("Events of the first sample:")
        .contains(" 75.000  ready")
        .contains("start         1  1");
  }

  /** A single trial trains 4 units on one GPU after another, and grows to 4 after the first. */
  @Test
  void hyperSchedDecidesByCurves() throws IOException {
    Path job = job("asha, trials: 1, eta: 4", 1, 4);
    Files.writeString(
        job,
        Files.readString(job).replace("max_instances: 8", "instances: 1")
            + "policy: {type: hypersched, resize_after: 1}\n");
    Path plan = plan(true, Map.of("open", "1x1", "closing", "1x1"));
    Path curves = curves("trial,unit,metric", 1, trial -> List.of(trial + ",1,0.5"));

    JsonNode json = json(job, plan, "--curves", curves.toString());

    assertThat(mean(json, "completion_s")).isCloseTo(75 + 40 + 10 + 3 * 30 / 3.421, within(0.0005));
    assertThat(stream(json.path("rungs")).map(rung -> rung.path("tasks").path("mean").asInt()))
        .containsExactly(1, 1);
    JsonNode unknown = json(job, plan);
    assertThat(mean(unknown, "completion_s")).isCloseTo(mean(json, "completion_s"), within(1e-6));
    checkMarks(job, plan, curves);
    assertThat(tasks(json(job, plan, "--trace"))).containsExactly("1@r0", "1@r1");
    JsonNode traced = json(job, plan, "--curves", curves.toString(), "--trace");
    assertThat(tasks(traced)).containsExactly("1@r0", "1@r1");
    assertThat(starts(traced).stream().map(start -> start.path("gpus").asInt()))
        .containsExactly(1, 4);
  }

  /** With measured offers, only curves that are not given are marked as assumed. */
  private void checkMarks(Path job, Path plan, Path curves) throws IOException {
    Path worked = ExampleFiles.WORKED.resolve("profile.yaml");
    String offer =
        """
        provisioning:
        - {offer: %s, queue_s: {mean: 15, cv: 0}, boot_s: {mean: 60, cv: 0}, samples: 9}
        """
            .formatted(OFFER);
    Path profile =
        Files.writeString(folder.resolve("profile.yaml"), Files.readString(worked) + offer);
    String text = Files.readString(job).replace(worked.toString(), profile.toString());
    Path measured = Files.writeString(folder.resolve("measured.yaml"), text);

    assertThat(run(measured, plan).out())
        .contains("assumes synthetic learning curves")
        .contains("p3.8xlarge  ~");
    assertThat(run(measured, plan, "--curves", curves.toString()).out())
        .contains("policy: hypersched decides by the learning curves")
        .contains("1 × p3.8xlarge")
        .doesNotContain("p3.8xlarge  ~");
  }

  /** Two trials of two slices per GPU: the second is preempted only if the first is better. */
  @Test
  void hermesDecidesByCurves() throws IOException {
    Path job = job("random, trials: 8", 1, 4);
    Files.writeString(
        job,
        Files.readString(job).replace("min: 1, ", "").replace("max_instances: 8", "instances: 1")
            + "policy: {type: hermes, jobs_per_gpu: 2}\n");
    Path plan = plan(true, Map.of("1", "1x1"));
    Path curves =
        curves(
            "trial,unit,metric",
            8,
            trial ->
                IntStream.rangeClosed(1, 4)
                    .mapToObj(u -> trial + "," + u + "," + u * (9 - trial))
                    .toList());

    JsonNode json = json(job, plan, "--curves", curves.toString());
    JsonNode last = json(job, plan, "--ranks", "last-best");

    assertThat(mean(json, "completion_s")).isEqualTo(75 + 4 * 70);
    assertThat(mean(last, "completion_s")).isEqualTo(75 + 4 * 70 - 10);
    assertThat(run(job, plan, "--curves", curves.toString()).out())
        .contains("policy: hermes decides by the learning curves");
    assertThat(run(job, plan).out()).contains("assumes synthetic learning curves");
  }

  @Test
  void refusesUnusableCurves() throws IOException {
    Path job = job("sha, trials: 4, eta: 2", 1, 2);
    Path plan = plan(false, Map.of("1", "1x1", "2", "1x1"));
    Path file = folder.resolve("c.csv");

    Files.writeString(file, "trial,unit,metric\n1,1,0.5\n2,1,0.5\n");
    assertRefused(job, plan, file, "--curves: ", " has no curve of trial 3, 4; the search has 4");
    Files.writeString(file, "trial,unit,metric\n1,1,\n2,1,\n3,1,\n4,1,0.5\n");
    assertRefused(job, plan, file, "trial group 2 would have 1 instead of 2 trials");
    Files.writeString(file, "trial,unit,metric\n1,1,x\n0,1,1\n1,2,1\n1,2,1\n");
    assertRefused(
        job,
        plan,
        file,
        ":2: metric: must be a number, NaN or empty, is \"x\"",
        ":3: trial: must be a whole number from 1, is \"0\"",
        ":5: unit: trial 1 has two rows for unit 2");
    Files.writeString(file, "trial,epoch\n1,1\n");
    assertRefused(
        job, plan, file, ":1: the header must be trial,unit,metric,seconds, is trial,epoch");
  }

  private void assertRefused(Path job, Path plan, Path file, String... texts) {
    InProcessCli.Result result = run(job, plan, "--curves", file.toString());
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains(texts);
  }

  private static List<JsonNode> starts(JsonNode document) {
    return stream(document.path("trace"))
        .filter(event -> event.path("event").asString().equals("start"))
        .toList();
  }

  private static List<String> tasks(JsonNode document) {
    return starts(document).stream()
        .map(event -> event.path("trial").asInt() + "@" + event.path("group").asString())
        .toList();
  }

  private static int units(JsonNode document) {
    return starts(document).stream()
        .mapToInt(event -> event.path("to").asInt() - event.path("from").asInt())
        .sum();
  }

  private static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  private static double mean(JsonNode document, String figure) {
    return document.path("estimate").path(figure).path("mean").asDouble();
  }

  private JsonNode json(Path job, Path plan, String... options) {
    List<String> all = new ArrayList<>(List.of(options));
    all.add("--json");
    InProcessCli.Result result = run(job, plan, all.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result.json();
  }

  private InProcessCli.Result run(Path job, Path plan, String... options) {
    List<String> all = new ArrayList<>(List.of("simulate", job.toString(), plan.toString()));
    all.addAll(List.of(options));
    return InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home"))
        .run(all.toArray(String[]::new));
  }

  private Path curves(String header, int trials, IntFunction<List<String>> rows)
      throws IOException {
    List<String> lines = new ArrayList<>(List.of(header));
    IntStream.rangeClosed(1, trials).mapToObj(rows).forEach(lines::addAll);
    return Files.write(folder.resolve("curves.csv"), lines);
  }

  private Path job(String algorithm, int min, int max) throws IOException {
    return job(algorithm, min, max, "maximize");
  }

  private Path job(String algorithm, int min, int max, String goal) throws IOException {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: search
        deadline: 3h
        search: {algorithm: %s, metric: {name: loss, goal: %s},
                 resource: {unit: epoch, min: %d, max: %d},
                 space: {lr: {type: loguniform, low: 0.0001, high: 0.1}}}
        resources: {infra: [aws/us-east-1], offers: %s, max_instances: 8}
        profile: {file: %s}
        trial:
          run: python train.py
          gpus: 1..8
        """
            .formatted(
                algorithm,
                goal,
                min,
                max,
                ExampleFiles.WORKED.resolve("offers.yaml"),
                ExampleFiles.WORKED.resolve("profile.yaml")));
  }

  private Path plan(boolean hold, Map<String, String> sizes) throws IOException {
    List<String> rows = new ArrayList<>();
    new TreeMap<>(sizes).forEach((group, size) -> rows.add(row(group, size)));
    return Files.writeString(
        folder.resolve("plan.json"),
        "{\"hold\": %s, \"plan\": [%s]}".formatted(hold, String.join(", ", rows)));
  }

  /** Returns the allocation of a group. The size is instances x GPUs per trial. */
  private static String row(String group, String size) {
    int times = size.indexOf('x');
    return "{\"group\": \"%s\", \"offer\": \"%s\", \"instances\": %s, \"gpus_per_trial\": %s}"
        .formatted(group, OFFER, size.substring(0, times), size.substring(times + 1));
  }
}
