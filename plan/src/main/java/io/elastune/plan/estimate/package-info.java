/** Compares places, markets and limits from training times that the user knows. */
@NullMarked
package io.elastune.plan.estimate;

import org.jspecify.annotations.NullMarked;
