/** Implementations of the commands that plan, predict, rehearse, and list offers and profiles. */
@NullMarked
package io.elastune.cli.action;

import org.jspecify.annotations.NullMarked;
