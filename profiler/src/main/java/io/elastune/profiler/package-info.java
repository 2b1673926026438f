/** Designs the measurements of a training program and fits its profile. */
@NullMarked
package io.elastune.profiler;

import org.jspecify.annotations.NullMarked;
