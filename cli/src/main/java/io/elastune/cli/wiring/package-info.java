/** Puts the other rooms together for a command: files, offers, profiles, planner, simulator. */
@NullMarked
package io.elastune.cli.wiring;

import org.jspecify.annotations.NullMarked;
