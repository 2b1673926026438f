/** Finds and predicts plans for programs and for the command line. */
@NullMarked
package io.elastune.plan;

import org.jspecify.annotations.NullMarked;
