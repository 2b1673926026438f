/** The profiler: designs the measurements of a training program and fits a profile to them. */
@NullMarked
package io.elastune.profiler;

import org.jspecify.annotations.NullMarked;
