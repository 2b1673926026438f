package io.elastune.core.config;

import io.elastune.core.IntRange;
import io.elastune.core.job.Algorithm;
import io.elastune.core.job.AshaOptions;
import io.elastune.core.job.Brackets;
import io.elastune.core.job.Budget;
import io.elastune.core.job.CheckpointPolicy;
import io.elastune.core.job.Deadline;
import io.elastune.core.job.Dimension;
import io.elastune.core.job.FailedTrialLimit;
import io.elastune.core.job.Job;
import io.elastune.core.job.MarketChoice;
import io.elastune.core.job.Metric;
import io.elastune.core.job.Notification;
import io.elastune.core.job.PbtOptions;
import io.elastune.core.job.Preference;
import io.elastune.core.job.ProfilePolicy;
import io.elastune.core.job.Resources;
import io.elastune.core.job.SamplerOptions;
import io.elastune.core.job.Search;
import io.elastune.core.job.SearchPatience;
import io.elastune.core.job.SearchStop;
import io.elastune.core.job.TrainingResource;
import io.elastune.core.job.TrialSpec;
import io.elastune.core.job.WarmStart;
import io.elastune.core.plan.RungRule;
import io.elastune.core.policy.ListOptions;
import io.elastune.core.search.TrialGroups;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.function.Supplier;

/** Generates random jobs that a job file can describe, from a seed. */
final class RandomJobFiles {
  private static final List<String> TEXTS =
      List.of("python train.py", "a\nb\n", "\"x\" 'y' \\ #z: {}", "é😀", "- x", "2", "true", "~");

  private final SplittableRandom random;

  RandomJobFiles(long seed) {
    random = new SplittableRandom(seed);
  }

  Job next() {
    boolean both = random.nextBoolean();
    boolean deadline = both || random.nextBoolean();
    Search search = search();
    boolean moves = search.asha().filter(AshaOptions::moveTail).isPresent();
    return new Job(
        pick(List.of("a", "resnet-cifar", "9-9", "true", "null", "1e5", "x".repeat(40))),
        deadline ? Optional.of(deadline()) : Optional.empty(),
        both || !deadline ? Optional.of(budget()) : Optional.empty(),
        random.nextDouble(0.01, 0.99),
        search,
        trial(search.algorithm() == Algorithm.PBT || moves),
        resources(moves ? 2 : 1),
        new ProfilePolicy(
            maybe(this::text),
            duration(),
            maybeNumber(),
            Optional.of(duration().plusNanos(1)),
            new IntRange(1, 1 + random.nextInt(8))),
        duration().plusSeconds(1),
        pick(
            search.algorithm() == Algorithm.ASHA
                ? List.of(Job.DeadlineMiss.values())
                : List.of(Job.DeadlineMiss.FINISH, Job.DeadlineMiss.STOP)),
        random.nextBoolean() ? List.of() : List.of(notification(), notification()),
        ListOptions.DEFAULT,
        pick(
            List.of(
                Optional.empty(),
                Optional.of(Preference.BALANCED),
                Optional.of(Preference.hourWorth(positive())))));
  }

  private Deadline deadline() {
    return random.nextBoolean()
        ? new Deadline.Within(duration().plusNanos(1))
        : new Deadline.At(Instant.ofEpochSecond(random.nextLong(4_000_000_000L)));
  }

  private Budget budget() {
    return new Budget(positive(), random.nextDouble(), pick(List.of(Budget.OnReach.values())));
  }

  private static final List<Brackets> WITH_SAMPLER = List.of(Brackets.AUTO, Brackets.SEQUENTIAL);
  private static final List<Brackets> ANY_BRACKETS = List.of(Brackets.values());

  private Search search() {
    Algorithm algorithm = pick(List.of(Algorithm.values()));
    boolean grid = algorithm == Algorithm.GRID;
    boolean takesEta = algorithm != Algorithm.RANDOM && algorithm != Algorithm.PBT && !grid;
    int eta = takesEta ? random.nextInt(2, 6) : 3;
    int min = random.nextInt(1, 4);
    Map<String, Dimension> space = new RandomSpaces(random).next(grid);
    Metric metric = new Metric(text(), pick(List.of(Metric.Goal.values())));
    TrainingResource trainingResource =
        new TrainingResource(text(), min, min + 1 + random.nextInt(200));
    Search search =
        Search.builder()
            .algorithm(algorithm)
            .metric(metric)
            .trials(random.nextInt(2, 300))
            .eta(eta)
            .resource(trainingResource)
            .space(space)
            .seed(random.nextLong())
            .build();
    int trials =
        TrialGroups.of(search).chains().stream()
            .mapToInt(chain -> chain.groups().get(0).trials())
            .sum();
    Optional<FailedTrialLimit> maxFailedTrials =
        maybe(
            () ->
                random.nextBoolean()
                    ? new FailedTrialLimit.Count(random.nextInt(10))
                    : new FailedTrialLimit.Share(random.nextInt(1001) / 1000.0));
    Optional<SamplerOptions> sampler =
        grid || algorithm == Algorithm.PBT ? Optional.empty() : maybe(this::sampler);
    boolean proposes = sampler.filter(it -> it.type() == SamplerOptions.Type.OPTUNA).isPresent();
    return new Search(
        algorithm,
        metric,
        trials,
        eta,
        trainingResource,
        space,
        search.seed(),
        1,
        maxFailedTrials,
        grid ? List.of() : new RandomSpaces(random).configurations(space, trials),
        grid ? Optional.empty() : maybe(() -> warmStart(space)),
        algorithm == Algorithm.ASHA ? maybe(this::asha) : Optional.empty(),
        maybe(
            () ->
                new SearchStop(
                    algorithm == Algorithm.ASHA
                        ? maybe(() -> random.nextInt(1, 20))
                        : Optional.empty(),
                    maybe(() -> random.nextDouble(-5, 5)),
                    Optional.empty(),
                    maybe(
                        () ->
                            new SearchPatience(
                                Optional.of(random.nextInt(1, 20)),
                                maybe(() -> Duration.ofMinutes(random.nextInt(1, 90))),
                                maybe(() -> random.nextDouble(0, 5)))))),
        algorithm == Algorithm.PBT ? maybe(() -> pbt(space)) : Optional.empty(),
        sampler,
        algorithm == Algorithm.HYPERBAND
            ? maybe(() -> pick(proposes ? WITH_SAMPLER : ANY_BRACKETS))
            : Optional.empty());
  }

  private SamplerOptions sampler() {
    return new SamplerOptions(
        pick(List.of(SamplerOptions.Type.values())),
        pick(List.of(SamplerOptions.Sampler.values())),
        random.nextInt(30),
        random.nextBoolean() ? Map.of() : Map.of("multivariate", true, "n_ei_candidates", 24L),
        text(),
        Duration.ofSeconds(1 + random.nextInt(100)),
        pick(List.of(SamplerOptions.OnError.values())));
  }

  private PbtOptions pbt(Map<String, Dimension> space) {
    return new PbtOptions(
        random.nextInt(1, 6) / 10.0,
        random.nextDouble(),
        random.nextBoolean() ? PbtOptions.DEFAULT.factors() : List.of(positive()),
        random.nextBoolean() ? List.of() : List.copyOf(space.keySet()));
  }

  private AshaOptions asha() {
    return new AshaOptions(
        pick(List.of(RungRule.Variant.values())),
        0,
        pick(List.of(AshaOptions.Finish.values())),
        maybe(() -> random.nextInt(1, 100)),
        random.nextInt(1, 3),
        random.nextBoolean());
  }

  private WarmStart warmStart(Map<String, Dimension> space) {
    return new WarmStart(
        pick(List.of(WarmStart.LATEST, "a-20261120-x1y2")),
        random.nextInt(1, 9),
        maybe(() -> new RandomSpaces(random).configurations(space, 9)));
  }

  private TrialSpec trial(boolean resumable) {
    Optional<String> python =
        maybe(() -> pick(List.of("/opt/venv/bin/python", ".venv/bin/python3", "./a b/python")));
    Optional<String> image = maybe(() -> pick(List.of("torch", "ghcr.io:443/a/b-c:1.2@sha256:0f")));
    int low = random.nextInt(1, 9);
    boolean resumes = resumable || random.nextBoolean();
    return new TrialSpec(
        text(),
        maybe(this::text),
        python,
        python.isPresent() ? Optional.empty() : image,
        text(),
        new IntRange(low, low + random.nextInt(3)),
        random.nextInt(5),
        maybe(() -> Duration.ofSeconds(random.nextInt(1, 100_000))),
        resumes,
        resumes && random.nextBoolean(),
        new CheckpointPolicy(
            maybe(() -> pick(List.of("s3://b/p", "gs://b", "/tmp/x y", "rel"))),
            random.nextInt(1, 5),
            random.nextInt(2) * positive(),
            random.nextInt(2) * positive(),
            resumes ? maybe(() -> new IntRange(low, low + random.nextInt(9))) : Optional.empty()),
        random.nextBoolean() ? Map.of() : Map.of("OMP_NUM_THREADS", text(), "on", ""),
        random.nextBoolean() ? List.of() : List.of("A", "B_2"),
        random.nextBoolean() ? List.of() : List.of("HF_HOME", "NCCL_*"),
        pick(List.of(1L, 1_500L, 200_000L, 500_000_000L, 2_000_000_000_000L)));
  }

  /**
   * @param least the fewest instances
   */
  private Resources resources(int least) {
    int instances = random.nextInt(least, 100);
    return new Resources(
        pick(List.of(List.of("local"), List.of("aws/us-east-1", "gcp/us-central1/a"))),
        random.nextBoolean() ? List.of() : List.of("g5.xlarge", "yes"),
        random.nextBoolean() ? List.of() : List.of("A10G", "l4"),
        pick(List.of(MarketChoice.values())),
        maybe(this::text),
        instances,
        Optional.empty(),
        maybeNumber(),
        random.nextDouble(),
        random.nextInt(3) * 0.1,
        random.nextBoolean() ? Map.of() : Map.of("team", "vision", "no", "1"),
        maybe(() -> Duration.ofSeconds(random.nextLong(1, 100_000))));
  }

  private Notification notification() {
    Optional<String> webhook = maybe(() -> "https://example.org/a?b=c#d");
    Optional<String> command = webhook.isPresent() ? Optional.empty() : Optional.of(text());
    return new Notification(webhook, command, List.of("finished", "warned"));
  }

  private Duration duration() {
    long seconds = random.nextLong(100_000_000) >> random.nextInt(20);
    return Duration.ofSeconds(seconds, random.nextBoolean() ? 0 : random.nextInt(1_000_000_000));
  }

  private double positive() {
    return random.nextDouble(1e-9, 1) * Math.pow(10, random.nextInt(9));
  }

  private OptionalDouble maybeNumber() {
    return random.nextBoolean() ? OptionalDouble.of(positive()) : OptionalDouble.empty();
  }

  private String text() {
    return pick(TEXTS);
  }

  private <T> Optional<T> maybe(Supplier<T> value) {
    return random.nextBoolean() ? Optional.of(value.get()) : Optional.empty();
  }

  private <T> T pick(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
