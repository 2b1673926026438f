/** The history: a database of what earlier runs have shown. */
@NullMarked
package io.elastune.profiler.history;

import org.jspecify.annotations.NullMarked;
