/* SPDX-License-Identifier: Apache-2.0 */
package io.fpmplanner.service.replay;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fpmplanner.core.fpm.FpmFrame;
import io.fpmplanner.models.StepTimeModel;
import io.fpmplanner.models.StepTimeSettings;
import io.fpmplanner.models.StepWorkload;
import io.fpmplanner.service.prior.LearnedJson;
import io.fpmplanner.service.recording.RecordedFrame;
import io.fpmplanner.service.recording.Recording;
import io.fpmplanner.service.recording.RecordingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Learns the priors that come with the planner from recordings, anew whenever the learner's columns or buckets change.
 *
 * <p>Arguments: the folder of the recordings, and the folder {@code priors} among the resources of {@code models}. On the
 * test class path of this module.
 */
final class LearnPriors {

    /** What one prior is learned from; parallelism that is not known is 0. */
    private record Subject(
            String prior, String file, String engine, String model, String gpu, List<Integer> parallel) {}

    private static final List<Subject> SUBJECTS = List.of(
            vllm("qwen3-32b_tp1", "Qwen/Qwen3-32B", 1, 1, 1),
            vllm("qwen3-32b_tp8", "Qwen/Qwen3-32B", 8, 1, 1),
            vllm("qwen3.6-35b-a3b_tp1_ep1", "Qwen/Qwen3.6-35B-A3B", 1, 1, 1),
            vllm("qwen3.6-35b-a3b_tp4_ep4", "Qwen/Qwen3.6-35B-A3B", 4, 1, 4),
            vllm("qwen3.6-35b-a3b_tp1_dp4_ep4", "Qwen/Qwen3.6-35B-A3B", 1, 4, 4),
            vllm("dsv4-flash_tp4_ep4", "deepseek-ai/DeepSeek-V4-Flash", 4, 1, 4),
            vllm("dsv4-flash_tp1_dp4_ep4", "deepseek-ai/DeepSeek-V4-Flash", 1, 4, 4),
            new Subject(
                    "trtllm-b200-gpt-oss-120b",
                    "trtllm_b200_gpt_oss_120b_mixed_fp4_fpms.csv",
                    "TensorRT-LLM",
                    "GPT-OSS-120B FP4",
                    "NVIDIA B200",
                    List.of(0, 0, 0)));

    private LearnPriors() {}

    private static Subject vllm(String name, String model, int tensor, int data, int expert) {
        return new Subject(
                "vllm-0.20.1-b300-" + name.replace('_', '-'),
                "vllm0.20.1_b300_" + name + ".fpm_metrics_detail.csv",
                "vLLM 0.20.1",
                model,
                "NVIDIA B300",
                List.of(tensor, data, expert));
    }

    public static void main(String[] arguments) throws Exception {
        Path recordings = Path.of(arguments[0]);
        Path priors = Files.createDirectories(Path.of(arguments[1]));
        JsonMapper json = JsonMapper.builder().build();
        StringBuilder names = new StringBuilder();
        for (Subject subject : SUBJECTS) {
            ObjectNode document =
                    LearnedJson.write(learn(recordings.resolve(subject.file)).export(), source(subject));
            Files.writeString(priors.resolve(subject.prior + ".json"), json.writeValueAsString(document) + "\n");
            names.append(subject.prior).append('\n');
        }
        Files.writeString(priors.resolve("names.txt"), names);
    }

    private static StepTimeModel learn(Path recording) throws RecordingException {
        StepTimeModel model = new StepTimeModel(StepTimeSettings.defaults());
        FpmFrame frame = new FpmFrame();
        StepWorkload step = new StepWorkload();
        for (RecordedFrame recorded : Recording.steps(recording)) {
            recorded.fill(frame);
            frame.fill(step);
            model.observe(step, recorded.wallTimeSeconds());
        }
        return model;
    }

    private static ObjectNode source(Subject subject) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        node.put("engine", subject.engine).put("model", subject.model).put("gpu", subject.gpu);
        List<String> kinds = List.of("tensorParallel", "dataParallel", "expertParallel");
        for (int i = 0; i < kinds.size(); i++) {
            if (subject.parallel.get(i) > 0) {
                node.put(kinds.get(i), subject.parallel.get(i));
            } else {
                node.putNull(kinds.get(i));
            }
        }
        return node.put("recording", subject.file)
                .put("publisher", "ai-dynamo/aiconfigurator")
                .put("licence", "Apache-2.0");
    }
}
