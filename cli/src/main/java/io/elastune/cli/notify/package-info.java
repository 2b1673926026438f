/** Tells people of a run's turns, by webhook or command, and never holds the run up. */
@NullMarked
package io.elastune.cli.notify;

import org.jspecify.annotations.NullMarked;
