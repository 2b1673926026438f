package io.elastune.simulator;

import io.elastune.core.offer.Offer;
import io.elastune.core.plan.Problem;
import io.elastune.core.plan.TrialGroup;
import io.elastune.core.profile.Profile;
import java.util.HashMap;
import java.util.Map;

/**
 * What the samples of a problem draw, by what it belongs to: with these, a sample can be played
 * again by something that is not a simulator, event by event, and must come to the same end. The
 * draws are those of {@link Simulator} for the same problem, whatever its number of samples. For
 * one thread.
 */
public final class SampledDraws {
  private final Problem problem;
  private final Draws draws;
  private final Map<DrawTable, DrawReader> readers = new HashMap<>();

  /**
   * The draws of {@code problem}.
   *
   * @param samples as many as will be asked for, at least 1
   */
  public SampledDraws(Problem problem, int samples) {
    this.problem = problem;
    this.draws = new Draws(problem, samples);
  }

  /** How many samples differ: one if nothing in the problem varies. */
  public int samples() {
    return draws.samples();
  }

  /** The factor {@code X} of a group's trial, counted from 0, on the GPUs of {@code offer}. */
  public double factor(TrialGroup group, int trial, Offer offer, int sample) {
    return draw(draws.trials(group, profile(offer)), sample, trial);
  }

  /** Seconds that a group's trial, counted from 0, takes to start up. */
  public double startupS(TrialGroup group, int trial, Offer offer, int sample) {
    return draw(draws.startups(group, profile(offer)), sample, trial);
  }

  /** Seconds from request to running of a chain's instance, counted from 0 in order of request. */
  public double queueS(String chain, int instance, Offer offer, int sample) {
    return draw(draws.queue(chain, instance, offer), sample, 0);
  }

  /** Seconds from running to ready of a chain's instance. */
  public double bootS(String chain, int instance, Offer offer, int sample) {
    return draw(draws.boot(chain, instance, offer), sample, 0);
  }

  /** The factor {@code Y} of a chain's instance. */
  public double slowness(String chain, int instance, Offer offer, int sample) {
    return draw(draws.slowness(chain, instance, profile(offer)), sample, 0);
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
