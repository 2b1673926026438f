package io.elastune.cli.svg;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.cli.svg.SvgPlot.Area;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;

/** Draws the timelines of docs/searches.md: which trial uses which GPU under each policy. */
class PolicyFiguresTest {
  private static final int GPUS_PER_INSTANCE = 4;
  private static final int COLORS = 8;
  private static final double LANE = 16;
  private static final double TOP = 50;
  private static final double BELOW = 40;

  @TempDir Path folder;

  private record Running(double sinceS, List<Integer> gpus) {}

  /** Trials of different length: two GPUs per instance become free for the long ones. */
  @Test
  void fluid() throws IOException {
    int[] seconds = {60, 60, 30, 30, 20, 10};
    FigureCommands commands = new FigureCommands(folder);
    Path job =
        commands.job(
            "algorithm: random, trials: 6, resource: {unit: epoch, max: 8}",
            "instances: 2",
            "deadline: 3h\npolicy: fluid");
    Path curves =
        curves(
            IntStream.range(0, seconds.length)
                .mapToObj(i -> i + 1 + ",8,0.5," + 8 * seconds[i])
                .toList());
    Path plan = commands.plan(true, Map.of("1", List.of(2, 1)));
    draw(
        "Fluid: 6 trials of 8 epochs of 60, 60, 30, 30, 20 and 10 s on 8 GPUs",
        commands.simulate(job, plan, "--curves", curves.toString()),
        8,
        "searches-fluid.svg");
  }

  /** The last trials converge fastest. */
  @Test
  void hermes() throws IOException {
    FigureCommands commands = new FigureCommands(folder);
    Path job =
        commands.job(
            "algorithm: random, trials: 12, resource: {unit: epoch, max: 6}",
            "instances: 1",
            "deadline: 3h\npolicy: hermes");
    List<String> rows = new ArrayList<>();
    for (int trial = 1; trial <= 12; trial++) {
      for (int unit = 1; unit <= 6; unit++) {
        rows.add(trial + "," + unit + "," + trial * unit + ",");
      }
    }
    Path plan = commands.plan(true, Map.of("1", List.of(1, 1)));
    Path curves = curves(rows);
    draw(
        "Hermes: 12 trials of 6 epochs on 4 GPUs; later trials converge faster",
        commands.simulate(job, plan, "--curves", curves.toString()),
        4,
        "searches-hermes.svg");
  }

  @Test
  void hyperSched() throws IOException {
    FigureCommands commands = new FigureCommands(folder);
    Path job =
        commands.job(
            "algorithm: asha, trials: 40, eta: 4, resource: {unit: epoch, min: 1, max: 64}",
            "instances: 2",
            // A spending guard needs many more samples.
            "deadline: 20m\nbudget: {usd: 500}\npolicy: hypersched");
    Path plan = commands.plan(true, Map.of("open", List.of(2, 1), "closing", List.of(2, 1)));
    draw(
        "HyperSched: up to 40 trials on 8 GPUs, with a deadline of 20 minutes",
        commands.simulate(job, plan, "--samples", "1"),
        8,
        "searches-hypersched.svg");
  }

  private Path curves(List<String> rows) throws IOException {
    List<String> lines = new ArrayList<>(List.of("trial,unit,metric,seconds"));
    lines.addAll(rows);
    return Files.write(folder.resolve("curves.csv"), lines);
  }

  private static void draw(String title, JsonNode document, int gpus, String file)
      throws IOException {
    List<JsonNode> events = FigureCommands.stream(document.path("trace")).toList();
    double endS = events.get(events.size() - 1).path("at_s").asDouble();
    double bottom = TOP + gpus * LANE;
    SvgPlot plot = new SvgPlot(new Area(70, 720, TOP, bottom), endS * 1.01, 0, 1);
    plot.timeAxis();
    IntStream.range(0, gpus)
        .forEach(gpu -> plot.rowName(TOP + (gpu + 0.8) * LANE, "GPU " + (gpu + 1)));
    Map<Integer, Running> running = new LinkedHashMap<>();
    boolean[] used = new boolean[gpus];
    int drawn = 0;
    for (JsonNode event : events) {
      int trial = event.path("trial").asInt();
      double atS = event.path("at_s").asDouble();
      if (event.path("event").asString().equals("start")) {
        Running start = place(event, atS, used);
        running.put(trial, start);
      } else if (event.path("event").asString().equals("end")) {
        bar(plot, trial, running.remove(trial), atS, used);
        drawn++;
      }
    }
    assertThat(running).isEmpty();
    assertThat(drawn).isPositive();
    Figure figure = new Figure(title, bottom + BELOW);
    figure.add(plot);
    figure.check(file);
  }

  /**
   * Uses the first free GPUs of the instance, adjacent ones if possible: the trace has no numbers.
   */
  private static Running place(JsonNode event, double atS, boolean[] used) {
    int gpus = event.path("gpus").asInt();
    int from = (event.path("instance").asInt() - 1) * GPUS_PER_INSTANCE;
    int end = from + GPUS_PER_INSTANCE;
    List<Integer> chosen =
        IntStream.rangeClosed(from, end - gpus)
            .mapToObj(first -> IntStream.range(first, first + gpus).boxed().toList())
            .filter(all -> all.stream().noneMatch(gpu -> used[gpu]))
            .findFirst()
            .orElseGet(
                () ->
                    IntStream.range(from, end)
                        .filter(gpu -> !used[gpu])
                        .limit(gpus)
                        .boxed()
                        .toList());
    assertThat(chosen).as("free GPUs at %s s", atS).hasSize(gpus);
    chosen.forEach(gpu -> used[gpu] = true);
    return new Running(atS, chosen);
  }

  private static void bar(SvgPlot plot, int trial, Running task, double endS, boolean[] used) {
    String style = "task" + trial % COLORS;
    for (int gpu : task.gpus()) {
      used[gpu] = false;
      plot.bar(style, task.sinceS(), endS, TOP + gpu * LANE + 1, LANE - 2, "trial " + trial);
    }
  }
}
