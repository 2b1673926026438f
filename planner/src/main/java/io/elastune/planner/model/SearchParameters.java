package io.elastune.planner.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * The tunable constants of the planner, by step of the algorithm (docs/planner.md).
 *
 * <p>Names end in their unit or in what they count; a ratio is a part of a quantity, a factor a
 * multiple. The values trade plan quality for run time; every result is valid with others too.
 * Tolerances for rounding are not tunable and are constants where they are used.
 *
 * @param meanValues the mean-value model
 * @param offerMixing the choice of offers
 * @param beam the beam search
 * @param timePriceGrid the prices of time of the bounds
 * @param labelSetting exact label setting
 * @param combination the combination of chains
 * @param searchDeadlines the deadlines of the search
 * @param sampleCounts the numbers of samples
 * @param race the race of the candidates
 * @param localSearch local search by sampling
 * @param resultDetail the result
 */
@RecordBuilder
public record SearchParameters(
    MeanValues meanValues,
    OfferMixing offerMixing,
    Beam beam,
    TimePriceGrid timePriceGrid,
    LabelSetting labelSetting,
    Combination combination,
    SearchDeadlines searchDeadlines,
    SampleCounts sampleCounts,
    Race race,
    LocalSearch localSearch,
    SpareSearch spareSearch,
    ResultDetail resultDetail) {
  /** The parameters of every run. */
  public static final SearchParameters DEFAULT =
      new SearchParameters(
          MeanValues.DEFAULT,
          OfferMixing.DEFAULT,
          Beam.DEFAULT,
          TimePriceGrid.DEFAULT,
          LabelSetting.DEFAULT,
          Combination.DEFAULT,
          SearchDeadlines.DEFAULT,
          SampleCounts.DEFAULT,
          Race.DEFAULT,
          LocalSearch.DEFAULT,
          SpareSearch.DEFAULT,
          ResultDetail.DEFAULT);

  /** Parameters for a plan without a frontier and without close comparisons with baselines. */
  public static final SearchParameters PLAN_ALONE =
      SearchParametersBuilder.builder(DEFAULT)
          .resultDetail(new ResultDetail(/* frontierPoints= */ 0, /* closeCostRatio= */ 0))
          .build();

  /**
   * The model that the search uses in place of sampling.
   *
   * @param completionErrorRatio by which a plan may complete earlier than the model says, where
   *     durations vary, as a part of its completion time: the search continues with such plans
   * @param readySteps moments by which the ready times of instances that have different boot times
   *     are approximated; each costs run time
   */
  public record MeanValues(double completionErrorRatio, int readySteps) {
    static final MeanValues DEFAULT =
        new MeanValues(/* completionErrorRatio= */ 0.08, /* readySteps= */ 12);
  }

  /**
   * Which offers a chain may use.
   *
   * @param shortlistOffers offers that the beam search considers, since its run time grows with
   *     their number
   * @param shortlistTimePrices prices of time at which offers are ranked for the shortlist
   * @param shortlistPriceFactor ratio of one of these prices to the next lower one
   * @param mixedOffers offers that one greedy descent may mix: those whose own plans are the
   *     cheapest
   * @param mixedStarts results of the descents within one offer from which a descent over several
   *     offers starts
   * @param denseClusterInstances number of instances up to which every size of a static cluster is
   *     a start; above it only those at which the number of waves changes
   */
  public record OfferMixing(
      int shortlistOffers,
      int shortlistTimePrices,
      double shortlistPriceFactor,
      int mixedOffers,
      int mixedStarts,
      int denseClusterInstances) {
    static final OfferMixing DEFAULT =
        new OfferMixing(
            /* shortlistOffers= */ 12,
            /* shortlistTimePrices= */ 8,
            /* shortlistPriceFactor= */ 4,
            /* mixedOffers= */ 6,
            /* mixedStarts= */ 3,
            /* denseClusterInstances= */ 32);
  }

  /**
   * The beam search for corners of the convex hull of the frontier.
   *
   * @param timePrices runs of the beam search, each at another price of time
   * @param widthLabels labels kept at a barrier
   * @param emptyLabels labels without instances kept at a barrier: two, because the offer just
   *     released cannot be requested again at once
   * @param instanceFactor least ratio of one number of instances tried to the next lower one
   * @param fastestPriceFactor price of a second for the fastest plan, as a multiple of the price of
   *     all instances: only time then counts
   * @param flatCornerRatio part of its value by which a corner must lie below the line of its
   *     neighbors; less is rounding
   */
  public record Beam(
      int timePrices,
      int widthLabels,
      int emptyLabels,
      double instanceFactor,
      double fastestPriceFactor,
      double flatCornerRatio) {
    static final Beam DEFAULT =
        new Beam(
            /* timePrices= */ 7,
            /* widthLabels= */ 40,
            /* emptyLabels= */ 2,
            /* instanceFactor= */ 1.3,
            /* fastestPriceFactor= */ 1e3,
            /* flatCornerRatio= */ 1e-6);
  }

  /**
   * The prices of time at which relaxed problems are solved.
   *
   * @param highestPriceFactor highest price of a second, as a multiple of the price of the most
   *     expensive cluster: only time then counts
   * @param widePrices prices for a bound that is valid for all deadlines
   * @param widePriceFactor ratio of one of these prices to the next lower one
   * @param nearPriceFactors prices for a bound for one deadline, as multiples of the price that
   *     fits the known plans best
   * @param nearPriceTrials prices among which the one that fits best is selected
   * @param chancePrices prices at which the chance-constrained bound is evaluated
   * @param chancePriceFactor ratio of one of these prices to the next lower one
   */
  public record TimePriceGrid(
      double highestPriceFactor,
      int widePrices,
      double widePriceFactor,
      List<Double> nearPriceFactors,
      int nearPriceTrials,
      int chancePrices,
      double chancePriceFactor) {
    static final TimePriceGrid DEFAULT =
        new TimePriceGrid(
            /* highestPriceFactor= */ 4,
            /* widePrices= */ 12,
            /* widePriceFactor= */ 2.4,
            /* nearPriceFactors= */ List.of(0.4, 0.7, 1.0, 1.4, 2.5),
            /* nearPriceTrials= */ 80,
            /* chancePrices= */ 200,
            /* chancePriceFactor= */ 1.1);

    public TimePriceGrid {
      nearPriceFactors = List.copyOf(nearPriceFactors);
    }
  }

  /**
   * Exact label setting, and the effort that it may take (a step is one run of a trial group).
   *
   * @param comparisonsPerStep comparisons with a known plan that take as long as one step
   * @param rivalsPerStep comparisons of two labels that take as long as one step
   * @param boundSteps steps that the bound may take, well above what a typical job needs; above it
   *     the bound counts the work alone
   * @param guideBoundSteps the same for the job without spread, which is only a guide
   * @param wholeFrontierBoundSteps steps of the bound up to which all deadlines are solved even
   *     where durations vary
   * @param approximateBoundSteps steps of the bound up to which one deadline is solved where
   *     durations vary, since sampling decides there anyway
   * @param frontierEffortDivisor divisor of the effort for deadlines other than that of the job
   * @param approximateEffortDivisor divisor of the effort where durations vary
   * @param guideEffortDivisor divisor of the effort for the job without spread
   * @param deadlineWindowRatio half the window of deadlines that is solved where durations vary, as
   *     a part of the deadline
   */
  public record LabelSetting(
      int comparisonsPerStep,
      int rivalsPerStep,
      long boundSteps,
      long guideBoundSteps,
      long wholeFrontierBoundSteps,
      long approximateBoundSteps,
      int frontierEffortDivisor,
      int approximateEffortDivisor,
      int guideEffortDivisor,
      double deadlineWindowRatio) {
    static final LabelSetting DEFAULT =
        new LabelSetting(
            /* comparisonsPerStep= */ 8,
            /* rivalsPerStep= */ 8,
            /* boundSteps= */ 1_000_000,
            /* guideBoundSteps= */ 150_000,
            /* wholeFrontierBoundSteps= */ 3_000,
            /* approximateBoundSteps= */ 30_000,
            /* frontierEffortDivisor= */ 10,
            /* approximateEffortDivisor= */ 8,
            /* guideEffortDivisor= */ 8,
            /* deadlineWindowRatio= */ 0.03);
  }

  /**
   * The combination of chains that share limits.
   *
   * @param commonDeadlines common deadlines for which chains are combined
   * @param commonEnds common ends that are tried where every second of the job costs something
   * @param boundEnds common ends that the bound distinguishes in that case
   * @param widthSelections selections of plans kept from one chain to the next
   * @param instanceCaps shares of the instances for which each chain is searched: 1, 1/2, 1/4, …
   */
  public record Combination(
      int commonDeadlines, int commonEnds, int boundEnds, int widthSelections, int instanceCaps) {
    static final Combination DEFAULT =
        new Combination(
            /* commonDeadlines= */ 48,
            /* commonEnds= */ 500,
            /* boundEnds= */ 64,
            /* widthSelections= */ 400,
            /* instanceCaps= */ 8);
  }

  /**
   * The deadlines for which the search runs besides that of the job.
   *
   * @param greedySlacks deadlines for the frontier, as multiples of the fastest completion time,
   *     where only greedy descents run
   * @param cornerSlacks the same where the beam search has found the corners of the frontier
   * @param correctionRounds rounds in which sampling corrects the deadline of the search
   * @param latestFactor latest corrected deadline, as a multiple of that of the job
   */
  public record SearchDeadlines(
      List<Double> greedySlacks,
      List<Double> cornerSlacks,
      int correctionRounds,
      double latestFactor) {
    static final SearchDeadlines DEFAULT =
        new SearchDeadlines(
            /* greedySlacks= */ List.of(1.1, 1.3, 1.6, 2.0, 3.0, Double.POSITIVE_INFINITY),
            /* cornerSlacks= */ List.of(1.3, 2.0),
            /* correctionRounds= */ 2,
            /* latestFactor= */ 1.08);

    public SearchDeadlines {
      greedySlacks = List.copyOf(greedySlacks);
      cornerSlacks = List.copyOf(cornerSlacks);
    }
  }

  /**
   * The numbers of samples by which plans are evaluated. A trial in one sample counts as one; jobs
   * of many trials get fewer samples.
   *
   * @param firstSamples samples that reject a plan that is worse by far
   * @param screeningSamples samples that suffice to reject a plan that is clearly worse
   * @param quickTrials trials to simulate for a quick evaluation
   * @param quickDivisor divisor of the final number of samples for the most samples of a quick
   *     evaluation
   * @param quickLeastDivisor divisor of the final number of samples for the fewest
   * @param comparisonTrials trials to simulate for a comparison
   * @param comparisonMoreTrials trials to simulate for a comparison, as long as {@code
   *     comparisonDivisor} allows it
   * @param comparisonDivisor divisor of the final number of samples for that
   * @param comparisonLeastDivisor divisor of the final number of samples for the fewest samples of
   *     a comparison
   * @param finalTrials trials to simulate for the final estimate
   * @param finalPlayedTrials the same under a policy, where trials are played unit by unit
   * @param finalLeastSamples fewest samples of the final estimate
   * @param finalErrorRatio standard error of all figures of a plan, as a part of them, at which its
   *     final estimate is complete, where samples are played task by task
   * @param hugeTrials trials that the fewest samples of a quick evaluation may simulate; larger
   *     jobs, whose samples hardly differ, get fewer samples in all evaluations
   * @param hugeLeastRatio least ratio of these numbers of samples in the final estimate
   * @param hugeComparedRatio the same where plans are compared by the same draws
   * @param clearLimitRatio part of a limit within which all screening samples must lie for the plan
   *     to meet it without more samples
   * @param rejectStandardErrors standard errors beyond which few samples reject a plan
   * @param possibleStandardErrors standard errors by which a plan may miss a limit and still be
   *     evaluated with more samples
   */
  public record SampleCounts(
      int firstSamples,
      int screeningSamples,
      int quickTrials,
      int quickDivisor,
      int quickLeastDivisor,
      int comparisonTrials,
      int comparisonMoreTrials,
      int comparisonDivisor,
      int comparisonLeastDivisor,
      int finalTrials,
      int finalPlayedTrials,
      int finalLeastSamples,
      double finalErrorRatio,
      int hugeTrials,
      double hugeLeastRatio,
      double hugeComparedRatio,
      double clearLimitRatio,
      double rejectStandardErrors,
      double possibleStandardErrors) {
    static final SampleCounts DEFAULT =
        new SampleCounts(
            /* firstSamples= */ 16,
            /* screeningSamples= */ 64,
            /* quickTrials= */ 32_000,
            /* quickDivisor= */ 4,
            /* quickLeastDivisor= */ 100,
            /* comparisonTrials= */ 64_000,
            /* comparisonMoreTrials= */ 400_000,
            /* comparisonDivisor= */ 8,
            /* comparisonLeastDivisor= */ 80,
            /* finalTrials= */ 4_000_000,
            /* finalPlayedTrials= */ 500_000,
            /* finalLeastSamples= */ 400,
            /* finalErrorRatio= */ 0.001,
            /* hugeTrials= */ 400_000,
            /* hugeLeastRatio= */ 0.2,
            /* hugeComparedRatio= */ 0.1,
            /* clearLimitRatio= */ 0.9,
            /* rejectStandardErrors= */ 4,
            /* possibleStandardErrors= */ 2);
  }

  /**
   * The race of the candidates.
   *
   * @param plansAroundBorder plans evaluated on either side of the first that meets the limit
   * @param confirmedPlans plans evaluated with many samples because few samples suggest that they
   *     meet the limit
   * @param nearestPlans plans evaluated with many samples to find the one that is nearest to limits
   *     that none meets
   */
  public record Race(int plansAroundBorder, int confirmedPlans, int nearestPlans) {
    static final Race DEFAULT =
        new Race(/* plansAroundBorder= */ 4, /* confirmedPlans= */ 6, /* nearestPlans= */ 2);
  }

  /**
   * Local search by sampling around the best candidate.
   *
   * @param rounds moves from one plan to the next
   * @param neighbors neighbors sampled in a round
   * @param confirmedPlans neighbors evaluated with many samples because few samples suggest that
   *     they meet the limits
   * @param modelErrorRatio error of the mean-value model that is assumed for close neighbors, as a
   *     part of time or cost
   * @param rankErrorRatio the same where the model ranked the plans wrongly
   * @param wideErrorRatio the same where few trials meet boot or queue times that vary much
   * @param screeningErrorRatio part of the cost by which a cheaper plan may seem more expensive by
   *     screening samples
   * @param savingRatio least saving, as a part of the cost, that justifies another round
   * @param wideTrials trials to simulate for the search further from the best plan
   * @param wideLeastPlans fewest plans for which that is done, which leaves out jobs of more than
   *     about 50 trials
   * @param widePlansPerOrigin plans evaluated for each plan of the frontier that they neighbor
   * @param fastestPlans fastest plans among which the search starts if no plan meets the limits
   * @param lostCostRatio part of its cost by which the confirmed plan may exceed an unconfirmed
   *     one; more starts another search
   */
  public record LocalSearch(
      int rounds,
      int neighbors,
      int confirmedPlans,
      double modelErrorRatio,
      double rankErrorRatio,
      double wideErrorRatio,
      double screeningErrorRatio,
      double savingRatio,
      int wideTrials,
      int wideLeastPlans,
      int widePlansPerOrigin,
      int fastestPlans,
      double lostCostRatio) {
    static final LocalSearch DEFAULT =
        new LocalSearch(
            /* rounds= */ 4,
            /* neighbors= */ 20,
            /* confirmedPlans= */ 8,
            /* modelErrorRatio= */ 0.03,
            /* rankErrorRatio= */ 0.08,
            /* wideErrorRatio= */ 0.4,
            /* screeningErrorRatio= */ 0.002,
            /* savingRatio= */ 1e-4,
            /* wideTrials= */ 400_000,
            /* wideLeastPlans= */ 120,
            /* widePlansPerOrigin= */ 8,
            /* fastestPlans= */ 6,
            /* lostCostRatio= */ 0.005);
  }

  /**
   * The search for plans with a spare instance.
   *
   * @param plans plans of the frontier to which spare instances are added
   * @param missingConfidence most by which such a plan may miss the required confidence
   * @param confirmedPlans plans with spare instances evaluated with many samples
   */
  public record SpareSearch(int plans, double missingConfidence, int confirmedPlans) {
    static final SpareSearch DEFAULT =
        new SpareSearch(/* plans= */ 4, /* missingConfidence= */ 0.2, /* confirmedPlans= */ 4);
  }

  /**
   * What the result shows.
   *
   * @param frontierPoints plans shown of the frontier; with 0 it is not evaluated
   * @param closeCostRatio difference in cost, as a part, below which a baseline is evaluated with
   *     as many samples as the plan
   */
  public record ResultDetail(int frontierPoints, double closeCostRatio) {
    static final ResultDetail DEFAULT =
        new ResultDetail(/* frontierPoints= */ 16, /* closeCostRatio= */ 0.02);
  }
}
