package io.elastune.profiler;

import static org.assertj.core.api.Assertions.assertThat;

import io.elastune.core.Spread;
import io.elastune.core.config.JobFile;
import io.elastune.core.config.Overrides;
import io.elastune.core.job.Job;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.PriceKind;
import io.elastune.core.plan.Allocation;
import io.elastune.core.profile.MeasuredNumber;
import io.elastune.core.profile.MeasurementOrigin;
import io.elastune.core.profile.Profile;
import io.elastune.core.search.TrialGroups;
import io.elastune.executor.decision.model.Command;
import io.elastune.executor.decision.model.MeasurementChoice;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Chooses measurements for a job on instances of 4 GPUs for 3.60 USD per hour. */
class MeasurementChooserTest {
  private static final int MAX_INSTANCES = 4;
  private static final Offer OFFER =
      new Offer(
          "aws/x",
          "quad",
          "V100",
          4,
          Market.ON_DEMAND,
          3.6,
          PriceKind.LIST,
          BillingTerms.BY_THE_SECOND,
          new Spread(30, 0),
          new Spread(60, 0),
          0,
          0,
          1);
  private static final OptionalDouble NO_LIMIT = OptionalDouble.empty();
  private static final MeasurementChooser.MemoryRoom ANY_ROOM =
      (profile, trialsPerGpu) -> Integer.MAX_VALUE;

  /** A plan costs its seconds per unit on the largest count in USD: large counts pay. */
  private static Optional<Double> largeCountsPay(Profile profile) {
    return Optional.of(profile.secondsByGpus().lastEntry().getValue());
  }

  @Test
  void measuresTheCountThatImprovesThePlanMost() {
    MeasurementChoice choice = choose(MeasurementChooserTest::largeCountsPay, NO_LIMIT, NO_LIMIT);

    assertThat(choice.next()).contains(new Allocation(OFFER.name(), 2, 8, 1));
    assertThat(choice.gain()).isGreaterThan(choice.cost());
    assertThat(choice.gainShare()).isBetween(0.3, 0.9);
  }

  @Test
  void endsIfNoCountChangesThePlan() {
    MeasurementChoice choice = choose(profile -> Optional.of(50.0), NO_LIMIT, NO_LIMIT);

    assertThat(choice.next()).isEmpty();
    assertThat(choice.gain()).isZero();
    assertThat(choice.cost()).isPositive();
  }

  @Test
  void endsIfThePlanCostsLessThanTheMeasurement() {
    MeasurementChoice choice =
        choose(profile -> largeCountsPay(profile).map(usd -> usd / 10_000), NO_LIMIT, NO_LIMIT);

    assertThat(choice.next()).isEmpty();
    assertThat(choice.gainShare()).isPositive();
  }

  @Test
  void measuresWhatMakesAPlanPossible() {
    MeasurementChoice choice =
        choose(
            profile -> profile.secondsByGpus().containsKey(4) ? Optional.of(1.0) : Optional.empty(),
            NO_LIMIT,
            NO_LIMIT);

    assertThat(choice.next().map(Allocation::gpusPerTrial)).contains(4);
  }

  /** A plan costs its seconds per unit and trial in USD: trials that share a GPU cost less. */
  private static Optional<Double> sharingPays(Profile profile) {
    double alone = profile.secondsByGpus().get(1);
    return Optional.of(
        profile.secondsBySharing().entrySet().stream()
            .mapToDouble(entry -> entry.getValue() / entry.getKey())
            .reduce(alone, Math::min));
  }

  @Test
  void measuresTrialsThatShareGpusIfTheJobAllowsIt() {
    assertThat(choose(job(), MeasurementChooserTest::sharingPays).next()).isEmpty();

    Job sharing = job("profile: {trials_per_gpu: 1..4}");
    assertThat(choose(sharing, MeasurementChooserTest::sharingPays).next())
        .contains(new Allocation(OFFER.name(), 2, 1, 4));
    assertThat(choose(sharing, profile -> Optional.of(50.0)).next()).isEmpty();
  }

  /** Two instances with two trials per GPU have memory, but not with four. */
  @Test
  void measuresNoMoreTrialsThanHaveMemory() {
    Job sharing = job("profile: {trials_per_gpu: 1..4}");

    assertThat(
            choose(
                    sharing,
                    MeasurementChooserTest::sharingPays,
                    (profile, trialsPerGpu) -> 5 / trialsPerGpu)
                .next())
        .contains(new Allocation(OFFER.name(), 2, 1, 2));
    assertThat(
            choose(sharing, MeasurementChooserTest::sharingPays, (profile, trialsPerGpu) -> 1)
                .next())
        .isEmpty();
  }

  private static MeasurementChoice choose(Job job, Function<Profile, Optional<Double>> usd) {
    return choose(job, usd, ANY_ROOM);
  }

  private static MeasurementChoice choose(
      Job job, Function<Profile, Optional<Double>> usd, MeasurementChooser.MemoryRoom room) {
    return new MeasurementChooser(
            job,
            OFFER,
            MAX_INSTANCES,
            NO_LIMIT,
            NO_LIMIT,
            plans(usd),
            () -> Optional.of(profile()),
            room,
            Optional.empty())
        .choose(new Command.ChooseMeasurement(1, 0, 0));
  }

  /** No other count changes the plan, but two trials say little about the others. */
  @Test
  void measuresOtherConfigurationsForTheAccuracyOfAPredictionIfThatCostsNothing() {
    SearchAccuracy accuracy =
        new SearchAccuracy(
            TrialGroups.of(job().search()),
            OptionalDouble.empty(),
            () -> Optional.of(new SearchAccuracy.Measured(profile().withRunCv(0.03), 2, true)));
    MeasurementChooser chooser =
        new MeasurementChooser(
            job(),
            OFFER,
            MAX_INSTANCES,
            NO_LIMIT,
            OptionalDouble.of(135), // 2 x 5 s start-up and 5 units of 1 s are left
            plans(profile -> Optional.of(50.0)),
            () -> Optional.of(profile().withSlowdown(0.1)),
            ANY_ROOM,
            Optional.of(accuracy));

    MeasurementChoice choice = chooser.choose(QUESTION);
    assertThat(choice.next()).contains(new Allocation(OFFER.name(), 2, 1, 1));
    assertThat(choice.error()).isPresent();
    assertThat(choice.leftS()).hasValue(15);
    assertThat(chooser.choose(new Command.ChooseMeasurement(1, 1, 120.1)).next()).isEmpty();
  }

  @Test
  void staysWithinTheLimits() {
    assertThat(choose(MeasurementChooserTest::largeCountsPay, OptionalDouble.of(1.001), NO_LIMIT))
        .isEqualTo(MeasurementChoice.NONE);
    assertThat(choose(MeasurementChooserTest::largeCountsPay, NO_LIMIT, OptionalDouble.of(130)))
        .isEqualTo(MeasurementChoice.NONE);
  }

  @Test
  void measuresFirstCountAgainIfNoTrialReported() {
    MeasurementChooser chooser =
        new MeasurementChooser(
            job(),
            OFFER,
            MAX_INSTANCES,
            NO_LIMIT,
            NO_LIMIT,
            plans(MeasurementChooserTest::largeCountsPay),
            Optional::empty,
            ANY_ROOM,
            Optional.empty());

    assertThat(chooser.choose(QUESTION).next().map(Allocation::gpusPerTrial)).contains(1);
  }

  /** Another model that is slower at the same price is not measured; a faster one is. */
  @Test
  void measuresAnotherModelOnlyIfItMayBeWorthIt() {
    PlanValue plans = plans(profile -> Optional.of(profile.secondsByGpus().get(1)));
    Optional<PlanValue.Worth> present = Optional.of(new PlanValue.Worth(10, 10));

    OtherModel.Value slower =
        new OtherModel(profile(), 0.5, 0.4, 0.6).value(job(), OFFER, MAX_INSTANCES, present, plans);
    OtherModel.Value faster =
        new OtherModel(profile(), 2, 1.5, 2.5).value(job(), OFFER, MAX_INSTANCES, present, plans);

    assertThat(slower.isWorthwhile()).isFalse();
    assertThat(slower.betterIn()).isZero();
    assertThat(faster.isWorthwhile()).isTrue();
    assertThat(faster.betterIn()).isEqualTo(1);
  }

  private static final Command.ChooseMeasurement QUESTION =
      new Command.ChooseMeasurement(1, 1, 120);

  private static MeasurementChoice choose(
      Function<Profile, Optional<Double>> usd, OptionalDouble maxUsd, OptionalDouble maxS) {
    return new MeasurementChooser(
            job(),
            OFFER,
            MAX_INSTANCES,
            maxUsd,
            maxS,
            plans(usd),
            () -> Optional.of(profile()),
            ANY_ROOM,
            Optional.empty())
        .choose(QUESTION);
  }

  private static PlanValue plans(Function<Profile, Optional<Double>> usd) {
    return new PlanValue() {
      @Override
      public Optional<Worth> of(Profile profile) {
        return usd.apply(profile).map(one -> new Worth(one, one));
      }

      @Override
      public boolean isTimed() {
        return false;
      }
    };
  }

  /** Ten seconds per unit on one GPU. */
  private static Profile profile() {
    TreeMap<Integer, Double> seconds = new TreeMap<>();
    seconds.put(1, 10.0);
    return Profile.builder(
            "p",
            "V100",
            "epoch",
            new MeasurementOrigin(
                Instant.EPOCH,
                "run p",
                4,
                Optional.empty(),
                List.of(new MeasuredNumber("training.1", 10, 0.1, 9.8, 10.2, 4))),
            seconds)
        .startupS(new Spread(5, 0.1))
        .trialCv(0.03)
        .unitCv(0.03)
        .build();
  }

  private static Job job() {
    return job("");
  }

  private static Job job(String more) {
    String text =
        """
        name: p
        deadline: 3h
        search:
          algorithm: sha
          metric: {name: acc, goal: maximize}
          trials: 16
          resource: {unit: epoch, min: 1, max: 16}
          space: {lr: {type: uniform, low: 0, high: 1}}
        trial: {run: "true", gpus: 1..8}
        resources: {infra: [aws/x], max_instances: 4}
        """;
    return JobFile.parse("job.yaml", text + more, Overrides.NONE).orThrow();
  }
}
