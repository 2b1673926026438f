package io.elastune.executor.ray.acceptance;

import io.elastune.executor.ray.acceptance.AcceptanceProblem.Repetition;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.RayLink;
import io.elastune.executor.ray.link.Request;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;
import tools.jackson.databind.JsonNode;

/** One execution of the checks on a node. Used on the event loop of its link only. */
final class AcceptanceRound {
  private static final double WAIT_S = 4;

  /** The calls of the program that may take the time limit each: four queries, and CUDA. */
  private static final int CALLS = 5;

  /** Beyond the limits that the program observes itself. */
  private static final Duration SPARE = Duration.ofSeconds(15);

  /** The engine reads a large image from the disk before its first container starts. */
  private static final Duration CONTAINER_START = Duration.ofMinutes(3);

  private final RayLink link;
  private final InstantSource time;
  private final AcceptanceSettings settings;
  private final AcceptanceSubject subject;
  private final String name;
  private final byte[] program;
  private final boolean hasGpus;

  /**
   * Creates a round.
   *
   * @param number its number among those of this controller
   */
  AcceptanceRound(
      RayLink link,
      InstantSource time,
      AcceptanceSettings settings,
      AcceptanceSubject subject,
      int number,
      byte[] program) {
    this.link = link;
    this.time = time;
    this.settings = settings;
    this.subject = subject;
    name = time.instant().toEpochMilli() + "-" + number;
    this.program = program;
    hasGpus = GpuRules.apply(subject.offer(), settings);
  }

  CompletableFuture<AcceptanceResult> result() {
    Instant sent = time.instant();
    return link.request(request(0))
        .thenCompose(
            answer -> {
              Optional<AcceptanceProblem> problem = node(sent, answer.ok());
              return problem.isPresent()
                  ? CompletableFuture.completedFuture(AcceptanceResult.refused(problem.get()))
                  : end(answer);
            });
  }

  private Request request(double waitS) {
    Duration limit = settings.timeLimit().multipliedBy(CALLS).plus(SPARE);
    Duration whole = subject.image().isPresent() ? limit.plus(CONTAINER_START) : limit;
    boolean timed =
        settings.has(NodeCheck.SPEED)
            && !subject.nodes().areShared() // copies would slow down the programs of others
            && !subject.inUse()
            && subject.image().isEmpty();
    String command = hasGpus ? AcceptanceCommand.of(settings, timed, subject) : "exit 0";
    return Request.of("accept", subject.lease())
        .with("check", name)
        .with("command", command)
        .with("container", subject.image().isPresent())
        .with("limit_s", whole.toSeconds())
        .with("wait_s", waitS)
        .bytes(program);
  }

  /** The first answer comes at once, so that it has a precise time. */
  private Optional<AcceptanceProblem> node(Instant sent, JsonNode answer) {
    if (subject.image().isPresent()) {
      return Optional.empty(); // checked before
    }
    Instant reported = Instant.ofEpochMilli(Math.round(1000 * answer.path("time").asDouble(0)));
    return NodeRules.clock(sent, reported, time.instant(), subject.nodes())
        .filter(problem -> settings.has(NodeCheck.CLOCK))
        .or(
            () ->
                NodeRules.disk(
                        answer.path("free").asLong(0), settings.minFreeDisk(), subject.nodes())
                    .filter(problem -> settings.has(NodeCheck.DISK)));
  }

  private CompletableFuture<AcceptanceResult> end(Frame answer) {
    return answer.ok().path("running").asBoolean(false)
        ? link.request(request(WAIT_S)).thenCompose(this::end)
        : CompletableFuture.completedFuture(evaluate(answer.ok()));
  }

  private AcceptanceResult evaluate(JsonNode answer) {
    if (!hasGpus) {
      return AcceptanceResult.ACCEPTED;
    }
    Optional<GpuReport> report = GpuReport.parse(answer.path("output").asString(""));
    if (report.isEmpty()) {
      return AcceptanceResult.refused(noReport(answer));
    }
    GpuRules rules = new GpuRules(subject, settings);
    OptionalDouble speed =
        report.get().cuda().map(CudaReport::slowestCopy).orElse(OptionalDouble.empty());
    return new AcceptanceResult(rules.problem(report.get()), speed);
  }

  private AcceptanceProblem noReport(JsonNode answer) {
    List<String> lines =
        answer.path("message").asString("").lines().filter(line -> !line.isBlank()).toList();
    int exit = answer.path("exit").asInt(1);
    String end =
        answer.path("timed_out").asBoolean(false) ? "it did not end in time" : "exit code " + exit;
    return subject
        .image()
        .map(
            image ->
                new AcceptanceProblem(
                    NodeCheck.IMAGE,
                    "no container of trial.image "
                        + image
                        + " can use the GPUs: "
                        + (lines.isEmpty() ? end : end + ": " + lines.get(0).strip())
                        + ". Install the NVIDIA Container Toolkit "
                        + subject.nodes().software(),
                    Repetition.ONCE))
        .orElseGet(
            () ->
                new AcceptanceProblem(
                    NodeCheck.GPUS,
                    "the check of the GPUs did not succeed: "
                        + (lines.isEmpty() ? end : end + ": " + lines.get(lines.size() - 1)),
                    Repetition.ONCE));
  }
}
