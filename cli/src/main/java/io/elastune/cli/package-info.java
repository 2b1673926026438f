/** Commands, screens, and the wiring of all other rooms; the only one that knows them all. */
@NullMarked
package io.elastune.cli;

import org.jspecify.annotations.NullMarked;
