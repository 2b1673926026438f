/** The command line: commands, screens, and the wiring of all other modules. */
@NullMarked
package io.elastune.cli;

import org.jspecify.annotations.NullMarked;
