/** Predicts time and money of a given plan: execution graph, sampling, billing, estimate. */
@NullMarked
package io.elastune.simulator;

import org.jspecify.annotations.NullMarked;
