/**
 * Text output: tables, amounts, plan screens and charts. It only renders; it reads no files and
 * makes no decisions.
 */
@NullMarked
package io.elastune.cli.text;

import org.jspecify.annotations.NullMarked;
