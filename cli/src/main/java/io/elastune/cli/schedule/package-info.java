/** Runs that a timer of this machine starts, with a monthly budget. */
@NullMarked
package io.elastune.cli.schedule;

import org.jspecify.annotations.NullMarked;
