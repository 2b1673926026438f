/** Implementations of the commands that plan, predict, rehearse, and list offers and profiles. */
@NullMarked
package io.elastune.cli.service;

import org.jspecify.annotations.NullMarked;
