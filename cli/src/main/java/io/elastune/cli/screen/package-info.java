/** What people read: tables, amounts, the plan screen. Text only; no reading and no deciding. */
@NullMarked
package io.elastune.cli.screen;

import org.jspecify.annotations.NullMarked;
