/** Durations as people write and read them. */
@NullMarked
package io.elastune.core.time;

import org.jspecify.annotations.NullMarked;
