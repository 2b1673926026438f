/** Parsing, formatting and conversion of durations and times. */
@NullMarked
package io.elastune.core.time;

import org.jspecify.annotations.NullMarked;
