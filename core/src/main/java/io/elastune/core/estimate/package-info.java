/** Predictions: what a plan will take and cost. */
@NullMarked
package io.elastune.core.estimate;

import org.jspecify.annotations.NullMarked;
