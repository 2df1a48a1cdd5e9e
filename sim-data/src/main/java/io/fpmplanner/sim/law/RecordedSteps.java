/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.sim.law;

import io.fpmplanner.sim.engine.StepTimeLaw;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Steps of a real engine, recorded, and a coarse idea of what they cost. Immutable, threadsafe; makes laws that draw from them.
 */
public final class RecordedSteps {
    /*
     * A drawn step time is the coarse cost of the step in question times how far a recorded one nearby was off its own coarse
     * cost: nonparametric regression with a parametric start (Hjort and Glad, Annals of Statistics 23, 1995), with a draw in place
     * of the local mean. It keeps stairs, two modes and misattribution as they were recorded, and beyond the recorded steps the
     * coarse cost carries on. Recorded stragglers of more than eight times the coarse cost are left out: compilation is an
     * artefact with a switch of its own.
     */
    private static final double STRAGGLER_FACTOR = 8;
    private static final int FEWEST = 50;
    private static final int PASSES = 3;

    private final double[][] places;
    private final double[] ratios;
    private final double[] coefficients;

    private RecordedSteps(double[][] places, double[] ratios, double[] coefficients) {
        this.places = places;
        this.ratios = ratios;
        this.coefficients = coefficients;
    }

    /**
     * Reads a recording in CSV form, as ai-dynamo/aiconfigurator publishes them: one step a line, columns by name.
     *
     * @throws IOException when it cannot be read, a column is missing, a line is malformed or there are too few steps; the message
     *     names file, line and reason
     */
    public static RecordedSteps read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty()) {
            throw new IOException(file + " is empty");
        }
        RecordedColumns columns = RecordedColumns.of(file, lines.get(0));
        List<RecordedStep> steps = new ArrayList<>();
        for (int i = 1; i < lines.size(); i++) {
            RecordedStep step = columns.parse(file + " line " + (i + 1), lines.get(i));
            if (step.hasWork()) {
                steps.add(step);
            }
        }
        if (steps.size() < FEWEST) {
            throw new IOException(file + " holds " + steps.size() + " steps, " + FEWEST + " at least are needed");
        }
        return of(steps);
    }

    private static RecordedSteps of(List<RecordedStep> recorded) {
        List<RecordedStep> steps = recorded;
        double[] coefficients = fit(steps);
        for (int pass = 1; pass < PASSES; pass++) {
            double[] before = coefficients;
            steps = recorded.stream()
                    .filter(step -> step.seconds() < STRAGGLER_FACTOR * cost(before, step.features()))
                    .toList();
            coefficients = fit(steps);
        }
        double[] last = coefficients;
        return new RecordedSteps(
                steps.stream().map(RecordedStep::place).toArray(double[][]::new),
                steps.stream()
                        .mapToDouble(step -> step.seconds() / cost(last, step.features()))
                        .toArray(),
                coefficients);
    }

    private static double[] fit(List<RecordedStep> steps) {
        double[][] rows = new double[steps.size()][];
        Arrays.setAll(rows, i -> steps.get(i).features());
        double[] seconds = steps.stream().mapToDouble(RecordedStep::seconds).toArray();
        return RelativeLeastSquares.fit(rows, seconds);
    }

    private static double cost(double[] coefficients, double[] features) {
        double cost = 0;
        for (int i = 0; i < coefficients.length; i++) {
            cost += coefficients[i] * features[i];
        }
        return cost;
    }

    /** A law that draws from these steps. Equal seeds draw alike. */
    public StepTimeLaw law(long seed) {
        return new RecordedLaw(this, seed);
    }

    /** Steps that are drawn from. */
    public int size() {
        return ratios.length;
    }

    double cost(double[] features) {
        return cost(coefficients, features);
    }

    double ratio(int index) {
        return ratios[index];
    }

    /** Indexes of the steps nearest to a place, nearest first. */
    int[] nearest(double[] place, int count) {
        int[] best = new int[Math.min(count, places.length)];
        double[] distances = new double[best.length];
        Arrays.fill(distances, Double.POSITIVE_INFINITY);
        for (int i = 0; i < places.length; i++) {
            double distance = squaredDistance(places[i], place);
            int at = best.length;
            while (at > 0 && distance < distances[at - 1]) {
                at--;
            }
            if (at < best.length) {
                System.arraycopy(best, at, best, at + 1, best.length - at - 1);
                System.arraycopy(distances, at, distances, at + 1, best.length - at - 1);
                best[at] = i;
                distances[at] = distance;
            }
        }
        return best;
    }

    private static double squaredDistance(double[] a, double[] b) {
        double sum = 0;
        for (int i = 0; i < a.length; i++) {
            sum += (a[i] - b[i]) * (a[i] - b[i]);
        }
        return sum;
    }
}
