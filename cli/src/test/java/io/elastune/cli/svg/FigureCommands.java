package io.elastune.cli.svg;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.testing.ExampleFiles;
import io.elastune.cli.testing.InProcessCli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Runs the commands that figures are drawn from, on the offer and the profile of docs/model.md. */
final class FigureCommands {
  private static final String OFFER = "aws/us-east-1/p3.8xlarge/on-demand";

  private final Path folder;

  /** Writes files into a folder. */
  FigureCommands(Path folder) {
    this.folder = folder;
  }

  /** Writes a job, and returns its file. */
  Path job(String search, String resources, String more) throws IOException {
    return Files.writeString(
        folder.resolve("job.yaml"),
        """
        name: figure
        search: {%s, metric: {name: accuracy, goal: maximize},
                 space: {lr: {type: loguniform, low: 0.0001, high: 0.1}}}
        resources: {infra: [aws/us-east-1], offers: %s, %s}
        profile: {file: %s}
        trial: {run: python train.py, gpus: 1..4}
        %s
        """
            .formatted(
                search,
                ExampleFiles.WORKED.resolve("offers.yaml"),
                resources,
                ExampleFiles.WORKED.resolve("profile.yaml"),
                more));
  }

  /** Writes a plan with instances and GPUs per trial of each group, and returns its file. */
  Path plan(boolean hold, Map<String, List<Integer>> groups) throws IOException {
    List<String> rows = new ArrayList<>();
    new TreeMap<>(groups)
        .forEach(
            (group, size) ->
                rows.add(
                    """
                    {"group": "%s", "offer": "%s", "instances": %d, "gpus_per_trial": %d}\
                    """
                        .formatted(group, OFFER, size.get(0), size.get(1))));
    return Files.writeString(
        folder.resolve("plan.json"),
        "{\"hold\": %s, \"plan\": [%s]}".formatted(hold, String.join(", ", rows)));
  }

  /** Predicts a plan, with the events of the first sample. */
  JsonNode simulate(Path job, Path plan, String... options) {
    List<String> all = new ArrayList<>(List.of("simulate", job.toString(), plan.toString()));
    all.addAll(List.of(options));
    all.add("--trace");
    return json(all.toArray(String[]::new));
  }

  /** Returns the output of a command. */
  JsonNode json(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--json");
    InProcessCli.Result result =
        InProcessCli.at(ExampleFiles.WORKED, folder.resolve("home"))
            .run(all.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isZero();
    return result.json();
  }

  static Stream<JsonNode> stream(JsonNode array) {
    return StreamSupport.stream(array.spliterator(), false);
  }

  /** Returns the mean of a predicted figure. */
  static double mean(JsonNode document, String figure) {
    return document.path("estimate").path(figure).path("mean").asDouble();
  }
}
