package io.elastune.simulator;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import io.elastune.simulator.draw.DrawReader;
import io.elastune.simulator.draw.DrawTable;
import io.elastune.simulator.instance.Draws;
import java.util.HashMap;
import java.util.Map;

/**
 * Provides the draws of the samples of a problem by trial and instance. With them, tests can replay
 * a sample event by event and compare the result. The draws equal those of {@link Simulator} for
 * the same problem and do not depend on its number of samples. Not thread-safe.
 */
public final class SampledDraws {
  private final Problem problem;
  private final Draws draws;
  private final Map<DrawTable, DrawReader> readers = new HashMap<>();

  /**
   * Creates the draws of {@code problem}.
   *
   * @param samples maximum number of samples, at least 1
   */
  public SampledDraws(Problem problem, int samples) {
    this.problem = problem;
    this.draws = new Draws(problem, samples);
  }

  /** Returns the number of different samples; 1 if nothing in the problem varies. */
  public int samples() {
    return draws.samples();
  }

  /**
   * Returns the factor {@code X} of a group's trial, numbered from 0, on the GPUs of {@code offer}.
   */
  public double factor(TrialGroup group, int trial, Offer offer, int sample) {
    return draw(draws.trials(group, profile(offer)), sample, trial);
  }

  /** Returns the start-up seconds of a group's trial, numbered from 0. */
  public double startupS(TrialGroup group, int trial, Offer offer, int sample) {
    return draw(draws.startups(group, profile(offer)), sample, trial);
  }

  /**
   * Returns the seconds from request to running of a chain's instance, numbered from 0 in order of
   * request.
   */
  public double queueS(String chain, int instance, Offer offer, int sample) {
    return draw(draws.queue(chain, instance, offer), sample, 0);
  }

  /** Returns the seconds from running to ready of a chain's instance. */
  public double bootS(String chain, int instance, Offer offer, int sample) {
    return draw(draws.boot(chain, instance, offer), sample, 0);
  }

  /** Returns the slowness factor {@code Y} of a chain's instance. */
  public double slowness(String chain, int instance, Offer offer, int sample) {
    return draw(draws.slowness(chain, instance, profile(offer)), sample, 0);
  }

  /**
   * Returns the uniform key of a group's trial: where it matters which trials continue, those with
   * the smallest keys do.
   */
  public double promotionKey(TrialGroup group, int trial, int sample) {
    return draw(draws.promotionKeys(group), sample, trial);
  }

  private Profile profile(Offer offer) {
    return problem.profile(offer).orElseThrow();
  }

  private double draw(DrawTable table, int sample, int index) {
    DrawReader reader = readers.computeIfAbsent(table, DrawReader::new);
    int offset = reader.offset(sample);
    return reader.values()[offset + index];
  }
}
