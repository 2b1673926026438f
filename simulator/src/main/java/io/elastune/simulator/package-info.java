/** The simulator: predicts the completion time and cost of a plan by sampling its execution. */
@NullMarked
package io.elastune.simulator;

import org.jspecify.annotations.NullMarked;
