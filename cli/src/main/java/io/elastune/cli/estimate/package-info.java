/** Estimates for users who know the unit time of their program, without any measurement. */
@NullMarked
package io.elastune.cli.estimate;

import org.jspecify.annotations.NullMarked;
