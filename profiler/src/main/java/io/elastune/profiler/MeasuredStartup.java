package io.elastune.profiler;

import io.elastune.profiler.AttemptTimes.ReportedStartup;

/**
 * The measured start-up of one attempt.
 *
 * @param seconds all of it, with warm-up
 * @param warmUpS the additional seconds of units before the speed was steady
 * @param reported the parts that the trial reported itself
 * @param noise the variance of {@code seconds} that the spread of units causes, for a coefficient
 *     of variation of 1
 */
record MeasuredStartup(double seconds, double warmUpS, ReportedStartup reported, double noise) {}
